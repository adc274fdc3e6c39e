// The table: what players look at while they play.
import { Stage, hasPicture } from "../board/stage.js";
import { command } from "../lib/api.js";
import { goLive } from "../lib/live.js";
import { t } from "../lib/i18n.js";
import { match, quarter, snapshot, view, voiceOn } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { disableVoice, enableVoice, lastSaid } from "../lib/voice.js";
import { AdvicePanel, toggleAdvice } from "../parts/advice.js";
import { Banner } from "../parts/banner.js";
import { Call, ToDo, whyOpen } from "../parts/call.js";
import { Clock } from "../parts/clock.js";
import { Log } from "../parts/log.js";
import { ManualStroke, manualOpen } from "../parts/manual.js";
import { Next } from "../parts/next.js";
import { startPage } from "../parts/page.js";
import { Questions, answerByRank } from "../parts/questions.js";
import { Score, Standing, Turn } from "../parts/score.js";
import { ShortcutHelp, helpOpen, useShortcuts } from "../parts/shortcuts.js";

const toggleVoice = () => (voiceOn.value ? disableVoice() : enableVoice(t("voice.hello")));
const toggleView = () => (view.value = view.value === "drawn" ? "auto" : "drawn");
const turnView = () => (quarter.value = (quarter.value + 1) % 4);

const KEYS = {
  m: { label: () => t("manual"), run: () => (manualOpen.value = true) },
  u: { label: () => t("undo"), run: () => snapshot.value?.undo && command("undo") },
  r: { label: () => t("redo"), run: () => snapshot.value?.redo && command("redo") },
  s: { label: () => t("keys.advice"), run: toggleAdvice },
  w: { label: () => t("why"), run: () => (whyOpen.value = !whyOpen.value) },
  v: { label: () => t("voice"), run: toggleVoice },
  b: { label: () => t("keys.view"), run: toggleView },
  t: { label: () => t("keys.turn"), run: turnView },
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [
      String(n),
      { label: n === 1 ? () => t("keys.answer") : null, shows: "1 – 9", run: () => answerByRank(n - 1) },
    ]),
  ),
};

function Table() {
  useShortcuts(KEYS);
  if (snapshot.value && !match.value) return html`<${Welcome} />`;
  return html`<div class="table-page">
    <h1 class="unseen">${t("nav.table")}</h1>
    <${Banner} />
    <div class="table-board">
      <${Stage} />
      <${BoardTools} />
    </div>
    <div class="table-call">
      <div class="row between"><${Turn} /><${Clock} /></div>
      <${Call} />
      <${ToDo} />
      <${Questions} />
      <${Next} />
      <div class="row table-actions">
        <button type="button" class="primary" onClick=${() => (manualOpen.value = true)} aria-keyshortcuts="m">${t("manual")}</button>
        <button type="button" disabled=${!snapshot.value?.undo} onClick=${() => command("undo")} aria-keyshortcuts="u">${t("undo")}</button>
        <button type="button" disabled=${!snapshot.value?.redo} onClick=${() => command("redo")} aria-keyshortcuts="r">${t("redo")}</button>
      </div>
    </div>
    <div class="table-side">
      <${Score} />
      <${Standing} />
      <${AdvicePanel} />
      <${Log} />
    </div>
    <${ManualStroke} />
    <${ShortcutHelp} keys=${KEYS} />
    <p class="unseen" aria-live="polite">${lastSaid.value}</p>
  </div>`;
}

function BoardTools() {
  const isDrawn = view.value === "drawn";
  return html`<div class="row board-tools">
    ${hasPicture.value && html`<button type="button" class="quiet" onClick=${toggleView} aria-keyshortcuts="b">${isDrawn ? t("view.camera") : t("view.drawn")}</button>`}
    <button type="button" class="quiet" onClick=${turnView} aria-keyshortcuts="t">${t("view.turn")}</button>
    <button type="button" class="quiet" aria-pressed=${voiceOn.value} onClick=${toggleVoice} aria-keyshortcuts="v">${voiceOn.value ? t("voice.off") : t("voice.on")}</button>
    <button type="button" class="quiet" onClick=${() => (helpOpen.value = true)} aria-keyshortcuts="?">${t("keys")}</button>
  </div>`;
}

function Welcome() {
  return html`<section class="welcome">
    <h1>${t("welcome")}</h1>
    <p>${t("welcome.text")}</p>
    <div class="row">
      <a class="button primary" href="/setup">${t("welcome.start")}</a>
      <a class="button" href="/matches">${t("welcome.resume")}</a>
    </div>
  </section>`;
}

goLive();
startPage("nav.table", Table);
