// The matches kept: go on, look at the sheet, take away.
import { get, post, remove, tell } from "../lib/api.js";
import { goLive } from "../lib/live.js";
import { dateTime, list, t } from "../lib/i18n.js";
import { match } from "../lib/store.js";
import { html, useEffect, useState } from "../lib/ui.js";
import { Dialog } from "../parts/dialog.js";
import { startPage } from "../parts/page.js";

function Matches() {
  const [items, setItems] = useState(null);
  const [doomed, setDoomed] = useState(null);
  const load = () => tell(() => get("/api/matches")).then((found) => setItems(found?.matches ?? found ?? []));
  useEffect(() => {
    load();
  }, []);
  const destroy = async () => {
    await tell(() => remove(`/api/matches/${doomed.id}`));
    setDoomed(null);
    load();
  };
  return html`<div class="list-page">
    <div class="row between"><h1>${t("nav.matches")}</h1><a class="button primary" href="/setup">${t("next.match")}</a></div>
    ${items === null && html`<p class="faint">${t("loading")}</p>`}
    ${items?.length === 0 && html`<p>${t("matches.none")}</p>`}
    <ul class="match-list">${(items ?? []).map((item) => html`<${Match} item=${item} onDelete=${() => setDoomed(item)} />`)}</ul>
    ${doomed && html`<${Dialog} title=${t("matches.delete")} onClose=${() => setDoomed(null)} tone="dialog-warn">
      <p>${t("matches.delete.sure", { what: heading(doomed) })}</p>
      <div class="row end"><button type="button" onClick=${() => setDoomed(null)}>${t("cancel")}</button>
      <button type="button" class="danger" onClick=${destroy}>${t("matches.delete")}</button></div>
    <//>`}
  </div>`;
}

const heading = (item) => item.title || list(Object.values(item.players ?? {})) || item.id;

function Match({ item, onDelete }) {
  const isHere = match.value?.id === item.id;
  const resume = async () => {
    if (await tell(() => post(`/api/matches/${item.id}/resume`).then(() => true))) location.assign("/");
  };
  const score = Object.values(item.score ?? item.points ?? {});
  return html`<li class="card">
    <h2 dir="auto">${heading(item)}</h2>
    <p class="faint">${[t(`rules.${item.rules}`), dateTime(item.started ?? item.created), score.length ? score.join(" – ") : "", t(item.over ? "matches.over" : isHere ? "matches.here" : "matches.open")].filter(Boolean).join(" · ")}</p>
    <div class="row">
      ${isHere ? html`<a class="button primary" href="/">${t("nav.table")}</a>` : html`<button type="button" class="primary" onClick=${resume}>${t(item.over ? "matches.look" : "matches.resume")}</button>`}
      <a class="button" href=${`/matches/${item.id}/sheet`}>${t("sheet")}</a>
      ${["json", "csv", "sol"].map((form) => html`<a class="button quiet" href=${`/api/matches/${item.id}/export.${form}`} download>${t("matches.export", { form: form.toUpperCase() })}</a>`)}
      ${!isHere && html`<button type="button" class="quiet" onClick=${onDelete}>${t("matches.delete")}</button>`}
    </div>
  </li>`;
}

goLive();
startPage("nav.matches", Matches);
