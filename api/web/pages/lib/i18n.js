// Words of the pages. A language is one module of texts, loaded on demand; numbers, lists and
// plurals come from the browser.
import { signal } from "./ui.js";

export const LANGUAGES = { en: "English", ja: "日本語", sv: "Svenska", hi: "हिन्दी" };
const KEY = "carrom.language";
const loaders = {
  en: () => import("../lang/en.js"),
  ja: () => import("../lang/ja.js"),
  sv: () => import("../lang/sv.js"),
  hi: () => import("../lang/hi.js"),
};

export const language = signal("en");
let texts = {};
let plurals = new Intl.PluralRules("en");

/** The language to begin with: the address, the last choice, what the browser prefers. */
export function preferred(search, stored, wanted) {
  const asked = new URLSearchParams(search).get("lang");
  const known = [asked, stored, ...wanted]
    .filter(Boolean)
    .map((code) => code.toLowerCase().split("-")[0]);
  return known.find((code) => code in LANGUAGES) ?? "en";
}

/** Load the preferred language; to be awaited before the first drawing. */
export async function startLanguage() {
  const wanted = preferred(location.search, remembered(), navigator.languages ?? []);
  await useLanguage(wanted, false);
}

/** Change the language of the whole page and remember it. */
export async function useLanguage(code, remember = true) {
  const module = await loaders[code]();
  texts = module.default;
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  if (remember) store(code);
  language.value = code;
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // A browser that keeps nothing still shows the language until it is closed.
  }
}

/** The text of `key` with {names} filled in; `n` chooses the plural. */
export function t(key, values = {}) {
  void language.value;
  return fill(texts[key], values, plurals) ?? key;
}

/** Whether there is a text for `key`. */
export const has = (key) => key in texts;

/** A text with its plural chosen and its names filled in; undefined stays undefined. */
export function fill(entry, values, rules) {
  if (entry === undefined) return undefined;
  const text = typeof entry === "string" ? entry : (entry[rules.select(values.n)] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

/** One of the texts per language that the server sends. */
export function pick(text) {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  return text[language.value] ?? text.en ?? Object.values(text)[0] ?? "";
}

export const number = (value, options) =>
  new Intl.NumberFormat(language.value, options).format(value);
export const percent = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });
export const list = (items) => new Intl.ListFormat(language.value).format(items.filter(Boolean));
export const dateTime = (value) => {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(
    date,
  );
};
