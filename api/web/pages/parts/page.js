// What every page has: the bar with its links and languages, refusals, the first drawing.
import { LANGUAGES, language, startLanguage, t, useLanguage } from "../lib/i18n.js";
import { link } from "../lib/store.js";
import { html, names, render, useEffect } from "../lib/ui.js";
import { Trouble } from "./trouble.js";

const LINKS = [
  ["/", "nav.table"],
  ["/matches", "nav.matches"],
  ["/setup", "nav.setup"],
  ["/pad", "nav.pad"],
  ["/tv", "nav.tv"],
  ["/settings", "nav.settings"],
];

export function Bar({ children }) {
  return html`<header class="bar">
    <a class="bar-home" href="/" aria-label=${t("nav.table")}><img src="/pages/icon.svg" alt="" width="32" height="32" /></a>
    <nav aria-label=${t("nav")}>
      ${LINKS.map(([path, key]) => html`<a href=${path} aria-current=${location.pathname === path ? "page" : undefined}>${t(key)}</a>`)}
    </nav>
    <div class="bar-tools">
      ${children}
      <${LinkState} />
      <${LanguageChoice} />
    </div>
  </header>`;
}

function LinkState() {
  return html`<span class=${names("link-state", `link-${link.value}`)} title=${t(`link.${link.value}.short`)}>
    <span class="unseen">${t(`link.${link.value}.short`)}</span>
  </span>`;
}

export function LanguageChoice() {
  return html`<label class="language">
    <span class="unseen">${t("language")}</span>
    <select value=${language.value} onChange=${(event) => useLanguage(event.currentTarget.value)}>
      ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code}>${name}</option>`)}
    </select>
  </label>`;
}

/** Draw a page. `title` is the key of its title; `bare` leaves out the bar. */
export async function startPage(title, Content, { bare = false } = {}) {
  await startLanguage();
  function Page() {
    void language.value;
    useEffect(() => {
      document.title = `${t(title)} · ${t("app")}`;
    }, [language.value]);
    return html`${!bare && html`<a class="skip" href="#main">${t("skip")}</a><${Bar} />`}
      <main id="main" tabindex="-1"><${Content} /></main>
      <${Trouble} />`;
  }
  const root = document.getElementById("page");
  root.textContent = "";
  render(html`<${Page} />`, root);
  document.documentElement.dataset.ready = "yes";
}
