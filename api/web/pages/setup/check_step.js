// The opening layout: what should lie there and what is seen; it teaches the colours of this set.
import { Stage } from "../board/stage.js";
import { KindIcon, kindName } from "../board/discs.js";
import { t } from "../lib/i18n.js";
import { kindsOf } from "../lib/match.js";
import { boardName, table } from "../lib/store.js";
import { html, names } from "../lib/ui.js";

const FULL = { white: 9, black: 9, queen: 1, red: 12, green: 12, jack: 1 };

/** How many discs of a kind are seen. */
export const countOf = (discs, kind) => (discs ?? []).filter((disc) => disc.kind === kind).length;

export function CheckStep() {
  const discs = table.value?.discs ?? [];
  const kinds = kindsOf(boardName.value);
  const isFull = kinds.every((kind) => countOf(discs, kind) === FULL[kind]);
  const isRacked = table.value?.phase === "racked" || isFull;
  return html`<div>
    <h2>${t("setup.check")}</h2>
    <p>${t("setup.check.text")}</p>
    <div class="check">
      <${Stage} quiet />
      <div>
        <ul class="counts">
          ${kinds.map((kind) => html`<li class=${names(countOf(discs, kind) === FULL[kind] && "count-right")}>
            <${KindIcon} kind=${kind} size="36" /><span>${kindName(kind)}</span>
            <strong>${t("setup.check.count", { n: countOf(discs, kind), of: FULL[kind] })}</strong>
          </li>`)}
        </ul>
        <p role="status" class=${isRacked ? "good" : "faint"}>${t(isRacked ? "setup.check.good" : "setup.check.wait")}</p>
      </div>
    </div>
  </div>`;
}
