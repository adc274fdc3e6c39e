// The call in large type, its reasons on demand, and what has to be put back.
import { KindIcon, kindName } from "../board/discs.js";
import { has, list, pick, t } from "../lib/i18n.js";
import { latestCall } from "../lib/match.js";
import { snapshot, state, turn } from "../lib/store.js";
import { html, names, signal } from "../lib/ui.js";
import { seatName } from "./score.js";

export const whyOpen = signal(false);

export function Call({ actions = true }) {
  const now = snapshot.value;
  const pending = now?.pending_call;
  const call = pending ?? latestCall(now?.calls);
  if (!call) {
    const isReady = Boolean(now?.match);
    return html`<section class="call call-none" aria-label=${t("call")}>
      <p class="call-text">${isReady ? t("call.none", { who: turn.value ? seatName(turn.value) : "" }) : t("match.none")}</p>
    </section>`;
  }
  const reasons = pick(call.reasons) || [];
  const isFoul = (call.fouls ?? []).length > 0;
  return html`<section class=${names("call", isFoul && "call-foul", pending && "call-pending")} aria-label=${t("call")}>
    <p class="call-text" dir="auto">${pick(call.call)}</p>
    ${pending && html`<p class="call-note">${t("call.pending")}</p>`}
    ${call.provisional && !pending && html`<p class="call-note">${t("call.provisional")}</p>`}
    ${actions && html`<div class="row call-actions">
      <button type="button" class="quiet" aria-expanded=${whyOpen.value} onClick=${() => (whyOpen.value = !whyOpen.value)}>
        ${t("why")}
      </button>
      ${call.n !== undefined && html`<a class="button quiet" href=${`/stroke/${call.n}`}>${t("correct")}</a>`}
      ${call.clip && html`<a class="button quiet" href=${`/stroke/${call.n}#replay`}>${t("replay")}</a>`}
    </div>`}
    ${whyOpen.value && actions && html`<div class="why">
      ${(Array.isArray(reasons) ? reasons : [reasons]).map((reason) => html`<p dir="auto">${reason}</p>`)}
      ${(call.clauses ?? []).length > 0 && html`<p class="clauses">${t("clauses", { list: list(call.clauses) })}</p>`}
      ${reasons.length === 0 && !(call.clauses ?? []).length && html`<p>${t("why.none")}</p>`}
    </div>`}
  </section>`;
}

/** Other things to do at the table: lay flat, put back what was moved. */
function Action({ task }) {
  const key = `todo.${task.do}`;
  const text = has(key) ? t(key, { piece: t(`the.${task.piece ?? "piece"}`) }) : task.do;
  return html`<li>${task.piece && html`<${KindIcon} kind=${task.piece} />`}<strong>${text}</strong></li>`;
}

/** Who puts it back: a seat, or a word for one. */
function placer(by) {
  if (!by) return "";
  return has(`by.${by}`) ? t(`by.${by}`) : t("by.seat", { who: seatName(by) });
}

/** What the last ruling asks for, with how much of it is done. */
export function ToDo() {
  const tasks = (state.value?.must ?? []).filter((task) => (task.done ?? 0) < (task.count ?? 1));
  if (!tasks.length) return null;
  return html`<ul class="to-do" aria-label=${t("todo")}>
    ${tasks.map((task) => {
      if (task.do !== undefined && task.do !== "return") return html`<${Action} task=${task} />`;
      const left = (task.count ?? 1) - (task.done ?? 0);
      const where = task.to ? t(`place.${task.to}`) : "";
      const who = placer(task.by);
      return html`<li>
        <${KindIcon} kind=${task.piece} />
        <span><strong>${t("todo.return", { n: left, piece: kindName(task.piece), where })}</strong>
        ${who && html`<small>${who}</small>`}</span>
      </li>`;
    })}
  </ul>`;
}
