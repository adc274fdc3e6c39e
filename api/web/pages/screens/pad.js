// The umpire's pad on a phone: confirm, correct, declare, clocks, the next board.
import { KindIcon } from "../board/discs.js";
import { command } from "../lib/api.js";
import { declarations } from "../lib/declared.js";
import { goLive } from "../lib/live.js";
import { t } from "../lib/i18n.js";
import { kindsOf, latestCall, seatsOf, sidesOf } from "../lib/match.js";
import { boardName, isTournament, match, snapshot, state, turn } from "../lib/store.js";
import { html, useState } from "../lib/ui.js";
import { Banner } from "../parts/banner.js";
import { Call, ToDo } from "../parts/call.js";
import { Choice } from "../parts/choice.js";
import { Clock } from "../parts/clock.js";
import { Dialog } from "../parts/dialog.js";
import { ManualStroke, manualOpen } from "../parts/manual.js";
import { Next } from "../parts/next.js";
import { startPage } from "../parts/page.js";
import { Questions } from "../parts/questions.js";
import { Score, Standing, Turn, seatName } from "../parts/score.js";

function Pad() {
  const now = snapshot.value;
  if (now && !match.value) {
    return html`<h1>${t("nav.pad")}</h1><p>${t("match.none")}</p><a class="button primary" href="/setup">${t("welcome.start")}</a>`;
  }
  const pending = now?.pending_call;
  const last = latestCall(now?.calls);
  return html`<div class="pad-page">
    <h1 class="unseen">${t("nav.pad")}</h1>
    <${Banner} />
    <div class="row between"><${Turn} /><${Clock} large /></div>
    <${Score} />
    <${Standing} />
    <${Call} />
    <${ToDo} />
    ${pending && html`<button type="button" class="primary big" onClick=${() => command("confirm", { stroke: pending.n })}>${t("pad.confirm")}</button>`}
    <${Questions} />
    <${Next} />
    <div class="pad-grid">
      <button type="button" onClick=${() => (manualOpen.value = true)}>${t("manual")}</button>
      ${(pending ?? last) && html`<a class="button" href=${`/stroke/${(pending ?? last).n}`}>${t("correct")}</a>`}
      <button type="button" disabled=${!now?.undo} onClick=${() => command("undo")}>${t("undo")}</button>
      <button type="button" disabled=${!now?.redo} onClick=${() => command("redo")}>${t("redo")}</button>
      <button type="button" onClick=${() => command("clock", { run: !now?.clock?.running })}>${now?.clock?.running ? t("pad.clock_stop") : t("pad.clock_start")}</button>
      <button type="button" onClick=${() => command("call_time")}>${t("pad.time")}</button>
    </div>
    <${Declare} />
    <${Debts} />
    <${Choice} legend=${t("mode")} value=${isTournament.value ? "tournament" : "casual"} onChange=${(mode) => command("mode", { mode })}
      options=${["casual", "tournament"].map((mode) => ({ value: mode, label: t(`mode.${mode}`), hint: t(`mode.${mode}.hint`) }))} />
    <${ManualStroke} />
  </div>`;
}

function Declare() {
  const [chosen, setChosen] = useState(null);
  const codes = declarations(match.value?.rules, kindsOf(boardName.value), snapshot.value?.clock?.stroke_limit_s);
  return html`<details class="more">
    <summary>${t("pad.declare")}</summary>
    <div class="declare-list">
      ${codes.map((item) => html`<button type="button" onClick=${() => setChosen(item)}>${t(item.code)}</button>`)}
    </div>
    ${chosen && html`<${DeclareDialog} item=${chosen} onClose=${() => setChosen(null)} />`}
  </details>`;
}

function DeclareDialog({ item, onClose }) {
  const [seat, setSeat] = useState(turn.value ?? seatsOf(match.value)[0]);
  const [piece, setPiece] = useState(item.event.piece);
  const last = latestCall(snapshot.value?.calls);
  const [where, setWhere] = useState("between");
  const send = async () => {
    const event = { ...item.event };
    if (item.needsSeat) event.seat = seat;
    if (piece) event.piece = piece;
    const values = where === "last" && last ? { event, stroke: last.n } : { event, seat };
    if (await command("declare", values)) onClose();
  };
  return html`<${Dialog} title=${t(item.code)} onClose=${onClose}>
    <${Choice} legend=${t("pad.by")} compact value=${seat} onChange=${setSeat}
      options=${seatsOf(match.value).map((value) => ({ value, label: seatName(value) }))} />
    ${item.event.piece && html`<${Choice} legend=${t("pad.piece")} compact value=${piece} onChange=${setPiece}
      options=${kindsOf(boardName.value).map((value) => ({ value, label: t(`kind.${value}`), icon: html`<${KindIcon} kind=${value} />` }))} />`}
    ${last && html`<${Choice} legend=${t("pad.when")} compact value=${where} onChange=${setWhere}
      options=${[{ value: "last", label: t("pad.last", { n: last.n }) }, { value: "between", label: t("pad.between") }]} />`}
    <div class="row end"><button type="button" onClick=${onClose}>${t("cancel")}</button>
    <button type="button" class="primary" onClick=${send}>${t("pad.declare_it")}</button></div>
  <//>`;
}

/** Debts that can be waived or claimed, side by side. */
function Debts() {
  const owing = sidesOf(match.value, state.value).filter((side) => side.debt > 0);
  if (!owing.length) return null;
  return html`<section class="card"><h2>${t("pad.debts")}</h2>
    ${owing.map((side) => html`<div class="row between">
      <span dir="auto">${seatName(side.seats[0])}: ${t("due", { n: side.debt })}</span>
      <span class="row">
        <button type="button" onClick=${() => command("claim_debt", { seat: side.seats[0] })}>${t("pad.claim")}</button>
        <button type="button" onClick=${() => command("waive_debt", { seat: side.seats[0] })}>${t("pad.waive")}</button>
      </span>
    </div>`)}
  </section>`;
}

goLive();
startPage("nav.pad", Pad);
