// Which rules, in plain words; the finer options behind one fold.
import { get } from "../lib/api.js";
import { has, pick, t } from "../lib/i18n.js";
import { html, useEffect } from "../lib/ui.js";
import { Choice, Toggle } from "../parts/choice.js";
import { change, plan, readRulesets, rulesetOf, rulesets } from "./plan.js";

export function RulesStep() {
  useEffect(() => {
    get("/api/rules")
      .then((data) => {
        const found = readRulesets(data);
        if (found.length) rulesets.value = found;
      })
      .catch(() => {});
  }, []);
  const now = plan.value;
  return html`<div>
    <${Choice}
      legend=${t("setup.rules")}
      value=${now.rules}
      onChange=${(rules) => change({ rules })}
      options=${rulesets.value.map(({ id, text }) => ({
        value: id,
        label: has(`rules.${id}`) ? t(`rules.${id}`) : pick(text) || id,
        hint: has(`rules.${id}.hint`) ? t(`rules.${id}.hint`) : "",
      }))}
    />
    <${Options} ruleset=${rulesetOf(now.rules)} />
    <${Choice}
      legend=${t("mode")}
      value=${now.mode}
      onChange=${(mode) => change({ mode })}
      options=${["casual", "tournament"].map((mode) => ({ value: mode, label: t(`mode.${mode}`), hint: t(`mode.${mode}.hint`) }))}
    />
  </div>`;
}

/** One option as the server describes it: {values, default} or a plain default. */
function readOption([name, given]) {
  const isDescribed = given && typeof given === "object" && !Array.isArray(given);
  const initial = isDescribed ? given.default : given;
  const values = isDescribed ? (given.values ?? given.allowed ?? given.type) : null;
  return { name, initial, values: Array.isArray(values) ? values : null, kind: typeof initial, text: given?.text };
}

function Options({ ruleset }) {
  const given = ruleset?.options ?? {};
  const rows = (Array.isArray(given) ? given.map((one) => [one.name ?? one.id, one]) : Object.entries(given)).map(readOption);
  if (!rows.length) return null;
  return html`<details class="more">
    <summary>${t("setup.options", { n: rows.length })}</summary>
    <div class="options-list">${rows.map((row) => html`<${Option} key=${row.name} row=${row} />`)}</div>
  </details>`;
}

function Option({ row }) {
  const { name, initial, values, kind } = row;
  const value = plan.value.options[name] ?? initial;
  const label = has(`option.${name}`) ? t(`option.${name}`) : pick(row.text) || name.replaceAll("_", " ");
  const set = (next) => {
    const options = { ...plan.value.options };
    if (next === initial) delete options[name];
    else options[name] = next;
    change({ options });
  };
  if (kind === "boolean") return html`<${Toggle} label=${label} value=${value} onChange=${set} />`;
  if (values?.length > 1) {
    return html`<${Choice} legend=${label} compact value=${value} onChange=${set}
      options=${values.map((one) => ({ value: one, label: valueName(one) }))} />`;
  }
  if (kind === "object" && initial !== null) return null;
  const read = (text) => set(text.trim() === "" ? initial : Number(text));
  return html`<label class="field"><span>${label}</span>
    <input type="number" inputmode="numeric" min="0" value=${value ?? ""} onChange=${(event) => read(event.currentTarget.value)} /></label>`;
}

function valueName(value) {
  if (typeof value === "number") return String(value);
  if (value === null) return t("none");
  return has(`value.${value}`) ? t(`value.${value}`) : String(value).replaceAll("_", " ");
}
