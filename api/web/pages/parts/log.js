// The calls of the match, the latest first; each leads to its stroke.
import { pick, t } from "../lib/i18n.js";
import { snapshot } from "../lib/store.js";
import { html, names } from "../lib/ui.js";
import { seatName } from "./score.js";

export function Log({ limit = 20 }) {
  const calls = [...(snapshot.value?.calls ?? [])].sort((a, b) => b.n - a.n).slice(0, limit);
  return html`<section class="log-part" aria-label=${t("log")}>
    <h2>${t("log")}</h2>
    <div role="log" aria-label=${t("log")} class="log" tabindex="0">
      ${calls.length === 0 && html`<p class="faint">${t("log.none")}</p>`}
      ${calls.map((call) => html`<${Entry} key=${call.id ?? call.n} call=${call} />`)}
    </div>
  </section>`;
}

export function Entry({ call }) {
  const isFoul = (call.fouls ?? []).length > 0;
  return html`<a class=${names("entry", isFoul && "entry-foul")} href=${`/stroke/${call.n}`}>
    <span class="entry-number">${call.n}</span>
    <span class="entry-text">
      <span class="entry-who" dir="auto">${call.seat ? seatName(call.seat) : ""}</span>
      <span dir="auto">${pick(call.call)}</span>
    </span>
    <span class="entry-marks">
      ${call.amended && html`<span class="mark">${t("mark.amended")}</span>`}
      ${call.provisional && html`<span class="mark mark-open">${t("mark.provisional")}</span>`}
      ${call.clip && html`<span class="mark" aria-label=${t("replay")}>▶</span>`}
    </span>
  </a>`;
}
