// The suggested strokes beside the board: hidden by one key, locked off in tournaments.
import { chosenAdvice } from "../board/stage.js";
import { kindName } from "../board/discs.js";
import { command } from "../lib/api.js";
import { number, percent, pick, t } from "../lib/i18n.js";
import { showAdvice, snapshot } from "../lib/store.js";
import { html, names } from "../lib/ui.js";

/** Show or hide; asks the table to think if it does not. */
export function toggleAdvice() {
  const state = snapshot.value?.suggestions?.state ?? "off";
  if (state === "locked") return;
  if (state === "off") {
    showAdvice.value = true;
    command("suggest", { on: true });
    return;
  }
  showAdvice.value = !showAdvice.value;
}

export function AdvicePanel() {
  const advice = snapshot.value?.suggestions;
  if (!advice) return null;
  const isShown = showAdvice.value && advice.state !== "off" && advice.state !== "locked";
  return html`<section class="advice-panel" aria-label=${t("advice")}>
    <header class="row between">
      <h2>${t("advice")}</h2>
      ${advice.state === "locked"
        ? html`<span class="faint">${t("advice.locked")}</span>`
        : html`<button type="button" class="quiet" aria-pressed=${isShown} onClick=${toggleAdvice} aria-keyshortcuts="s">
            ${isShown ? t("advice.hide") : t("advice.show")}
          </button>`}
    </header>
    ${isShown && advice.state === "thinking" && !advice.items?.length && html`<p class="faint">${t("advice.thinking")}</p>`}
    ${isShown && advice.state === "ready" && !advice.items?.length && html`<p class="faint">${pick(advice.refusal) || t("advice.none")}</p>`}
    ${isShown && advice.items?.length > 0 && html`<ol class="advice-list">
      ${advice.items.map((item, i) => html`<${Item} item=${item} index=${i} />`)}
    </ol>`}
  </section>`;
}

function Item({ item, index }) {
  const isChosen = chosenAdvice.value === index;
  const title = pick(item.text) || t("advice.title", { piece: item.target ? kindName(item.target) : "", pocket: item.pocket ? t(`pocket.${item.pocket}`) : "" });
  return html`<li>
    <button type="button" class=${names("advice-item", isChosen && "on")} aria-pressed=${isChosen} onClick=${() => (chosenAdvice.value = index)}>
      <span class="advice-chance">${percent(item.chance)}<small>± ${percent(item.error ?? 0)}</small></span>
      <span class="advice-text">
        <span dir="auto">${title}</span>
        <small>${[
          item.safe ? t("advice.safe") : t(`advice.kind.${item.kind}`),
          t("advice.speed", { n: number(item.speed_m_s, { maximumFractionDigits: 1 }) }),
          t("advice.foul", { p: percent(item.foul ?? 0) }),
        ].join(" · ")}</small>
      </span>
    </button>
  </li>`;
}
