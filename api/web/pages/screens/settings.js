// What this viewer likes, and what the whole table uses.
import { command, get, patch, tell } from "../lib/api.js";
import { goLive, live } from "../lib/live.js";
import { LANGUAGES, has, language, t, useLanguage } from "../lib/i18n.js";
import { codec, isTournament, letters, match, quarter, showAdvice, snapshot, theme, view, voiceOn } from "../lib/store.js";
import { html, useEffect, useState } from "../lib/ui.js";
import { disableVoice, enableVoice } from "../lib/voice.js";
import { Choice, Toggle } from "../parts/choice.js";
import { startPage } from "../parts/page.js";

const SKILLS = ["casual", "club", "strong"];

function Settings() {
  const choices = (key, values) => values.map((value) => ({ value, label: t(`${key}.${value}`) }));
  const advice = snapshot.value?.suggestions;
  return html`<div class="list-page">
    <h1>${t("nav.settings")}</h1>
    <section class="card"><h2>${t("settings.here")}</h2>
      <${Choice} legend=${t("language")} compact value=${language.value} onChange=${(code) => useLanguage(code)}
        options=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))} />
      <${Choice} legend=${t("theme")} compact value=${theme.value} onChange=${(value) => (theme.value = value)} options=${choices("theme", ["auto", "light", "dark"])} />
      <${Choice} legend=${t("view")} compact value=${view.value} onChange=${(value) => (view.value = value)} options=${choices("view", ["auto", "drawn"])} />
      <${Choice} legend=${t("view.side")} compact value=${quarter.value} onChange=${(value) => (quarter.value = value)}
        options=${["S", "E", "N", "W"].map((seat, value) => ({ value, label: t(`seat.${seat}`) }))} />
      <${Toggle} label=${t("letters")} value=${letters.value} onChange=${(on) => (letters.value = on)} />
      <${Toggle} label=${t("voice")} hint=${t("voice.hint")} value=${voiceOn.value} onChange=${(on) => (on ? enableVoice(t("voice.hello")) : disableVoice())} />
      ${live.painter.canDecodeVideo() && html`<${Toggle} label=${t("codec")} hint=${t("codec.hint")} value=${codec.value === "h264"}
        onChange=${(on) => { codec.value = on ? "h264" : "jpeg"; live.open(); }} />`}
    </section>
    <section class="card"><h2>${t("settings.table")}</h2>
      ${match.value && html`<${Choice} legend=${t("mode")} value=${isTournament.value ? "tournament" : "casual"} onChange=${(mode) => command("mode", { mode })}
        options=${["casual", "tournament"].map((mode) => ({ value: mode, label: t(`mode.${mode}`), hint: t(`mode.${mode}.hint`) }))} />`}
      ${advice && advice.state !== "locked" && html`<${Toggle} label=${t("advice")} hint=${t("advice.hint")} value=${advice.state !== "off"}
          onChange=${(on) => { showAdvice.value = on; command("suggest", { on }); }} />
        <${Choice} legend=${t("skill")} compact value=${advice.skill} onChange=${(skill) => command("suggest", { on: advice.state !== "off", skill })} options=${choices("skill", SKILLS)} />`}
      <${ServerSettings} />
    </section>
  </div>`;
}

/** The rest of the table's settings, leaf by leaf, as the server names them. */
function ServerSettings() {
  const [tree, setTree] = useState(null);
  useEffect(() => {
    get("/api/settings").then(setTree).catch(() => setTree({}));
  }, []);
  const leaves = Object.entries(tree ?? {}).flatMap(([group, values]) =>
    values && typeof values === "object" && !Array.isArray(values)
      ? Object.entries(values).map(([name, value]) => [group, name, value])
      : [[null, group, values]],
  );
  const change = async (group, name, value) => {
    const next = await tell(() => patch("/api/settings", group ? { [group]: { [name]: value } } : { [name]: value }));
    if (next) setTree(next);
  };
  if (!leaves.length) return null;
  return html`<details class="more"><summary>${t("settings.more")}</summary>
    ${leaves.map(([group, name, value]) => html`<${Leaf} group=${group} name=${name} value=${value} onChange=${(next) => change(group, name, next)} />`)}
  </details>`;
}

function Leaf({ group, name, value, onChange }) {
  const path = group ? `${group}.${name}` : name;
  const label = has(`setting.${path}`) ? t(`setting.${path}`) : path.replaceAll("_", " ");
  if (typeof value === "boolean") return html`<${Toggle} label=${label} value=${value} onChange=${onChange} />`;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const read = (event) => onChange(typeof value === "number" ? Number(event.currentTarget.value) : event.currentTarget.value);
  return html`<label class="field"><span>${label}</span>
    <input type=${typeof value === "number" ? "number" : "text"} step="any" value=${value} onChange=${read} /></label>`;
}

goLive();
startPage("nav.settings", Settings);
