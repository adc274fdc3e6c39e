// One stroke: its replay beside its facts; a correction shows what it changes before it is accepted.
import { command, get } from "../lib/api.js";
import { goLive } from "../lib/live.js";
import { list, pick, t } from "../lib/i18n.js";
import { latestCall } from "../lib/match.js";
import { emptyOutcome, same, toSend, toShort } from "../lib/outcome.js";
import { match, snapshot } from "../lib/store.js";
import { html, useEffect, useState } from "../lib/ui.js";
import { Difference } from "../parts/difference.js";
import { OutcomeForm } from "../parts/outcome_form.js";
import { startPage } from "../parts/page.js";
import { Questions } from "../parts/questions.js";
import { Replay } from "../parts/replay.js";
import { seatName } from "../parts/score.js";

const NUMBER = Number(location.pathname.split("/").pop());

function Stroke() {
  const [stroke, setStroke] = useState(undefined);
  const [seq, setSeq] = useState(0);
  const load = () =>
    get(`/api/strokes/${NUMBER}`)
      .then((data) => {
        setStroke(data);
        setSeq(snapshot.value?.seq ?? 0);
      })
      .catch(() => setStroke(null));
  const isReady = snapshot.value !== null;
  useEffect(() => {
    if (isReady) load();
  }, [isReady]);
  if (stroke === undefined) return html`<p class="faint">${t("loading")}</p>`;
  if (stroke === null || !match.value) {
    return html`<h1>${t("stroke.number", { n: NUMBER })}</h1><p>${t("stroke.missing")}</p><a class="button" href="/">${t("nav.table")}</a>`;
  }
  return html`<div class="stroke-page">
    <header class="stroke-head">
      <div class="row between">
        <h1>${t("stroke.number", { n: NUMBER })}${stroke.seat ? html` · <span dir="auto">${seatName(stroke.seat)}</span>` : ""}</h1>
        <nav class="row" aria-label=${t("stroke.others")}>
          ${NUMBER > 1 && html`<a class="button quiet" href=${`/stroke/${NUMBER - 1}`} rel="prev">${t("stroke.previous")}</a>`}
          ${NUMBER < (latestCall(snapshot.value?.calls)?.n ?? 0) && html`<a class="button quiet" href=${`/stroke/${NUMBER + 1}`} rel="next">${t("stroke.next")}</a>`}
        </nav>
      </div>
      <p class="call-text" dir="auto">${pick(stroke.call)}</p>
      <${Reasons} stroke=${stroke} />
    </header>
    <section class="stroke-replay" aria-label=${t("replay")}>${stroke.clip === false ? html`<p class="faint replay-none">${t("replay.none")}</p>` : html`<${Replay} stroke=${NUMBER} />`}</section>
    <div class="stroke-edit"><${Questions} /><${Editor} stroke=${stroke} seq=${seq} onDone=${load} /></div>
  </div>`;
}

function Reasons({ stroke }) {
  const reasons = pick(stroke.reasons) || [];
  return html`<details class="why">
    <summary>${t("why")}</summary>
    ${(Array.isArray(reasons) ? reasons : [reasons]).map((reason) => html`<p dir="auto">${reason}</p>`)}
    ${(stroke.clauses ?? []).length > 0 && html`<p class="clauses">${t("clauses", { list: list(stroke.clauses) })}</p>`}
  </details>`;
}

/** Each correction once, however many equal pieces fell. */
const distinct = (likely) => [...new Map((likely ?? []).map((item) => [pick(item.text), item])).values()];

function Editor({ stroke, seq, onDone }) {
  const original = toShort(stroke.outcome ?? stroke.facts, stroke.seat);
  const [value, setValue] = useState(original);
  const [preview, setPreview] = useState(null); // {name, values, items}
  const isChanged = !same(value, original);
  const nothing = emptyOutcome(stroke.seat);
  const likely = distinct(stroke.likely).map((item) => ({ ...item, outcome: item.outcome && toShort(item.outcome, stroke.seat) }));
  const show = async (name, values) => {
    const reply = await command(name, { stroke: NUMBER, ...values, accept: false }, seq);
    if (reply) setPreview({ name, values, items: reply.difference ?? [] });
  };
  const look = (outcome) => {
    setValue(outcome);
    show("amend", { outcome: toSend(outcome) });
  };
  const accept = async () => {
    const reply = await command(preview.name, { stroke: NUMBER, ...preview.values, accept: true }, seq);
    if (!reply) return;
    setPreview(null);
    if (preview.name === "delete") location.assign("/");
    else await onDone();
  };
  return html`<section class="card" aria-label=${t("correct")}>
    <h2>${t("correct.title")}</h2>
    <div class="answers likely">
      ${likely.filter((item) => item.outcome).map((item) => html`<button type="button" onClick=${() => look(item.outcome)}><span dir="auto">${pick(item.text)}</span></button>`)}
      ${![original, ...likely.map((item) => item.outcome)].some((one) => one && same(one, nothing)) && html`<button type="button" onClick=${() => look(nothing)}>${t("correct.nothing")}</button>`}
      <button type="button" onClick=${() => show("delete", {})}>${t("correct.no_stroke")}</button>
    </div>
    <${OutcomeForm} value=${value} onChange=${(next) => { setValue(next); setPreview(null); }} />
    ${preview && html`<div class="preview" role="region" aria-label=${t("difference")} tabindex="-1" ref=${(node) => node?.focus()}>
      <${Difference} items=${preview.items} />
    </div>`}
    <div class="row end dialog-foot">
      ${(isChanged || preview) && html`<button type="button" onClick=${() => { setValue(original); setPreview(null); }}>${t("cancel")}</button>`}
      ${preview
        ? html`<button type="button" class="primary" onClick=${accept}>${t("correct.accept")}</button>`
        : html`<button type="button" class="primary" disabled=${!isChanged} onClick=${() => show("amend", { outcome: toSend(value) })}>${t("correct.preview")}</button>`}
    </div>
  </section>`;
}

goLive();
startPage("correct.title", Stroke);
