// The overlay for streaming: transparent, at the bottom, nothing to click.
import { goLive } from "../lib/live.js";
import { pick, t } from "../lib/i18n.js";
import { latestCall } from "../lib/match.js";
import { match, snapshot } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { Clock } from "../parts/clock.js";
import { startPage } from "../parts/page.js";
import { Score, Standing, Turn } from "../parts/score.js";

function Obs() {
  const call = latestCall(snapshot.value?.calls);
  if (!match.value) return html`<h1 class="unseen">${t("app")}</h1>`;
  return html`<div class="obs-page">
    <h1 class="unseen">${match.value.title || t("app")}</h1>
    <div class="obs-call" dir="auto">${call ? pick(call.call) : ""}</div>
    <div class="obs-strip"><${Score} /><${Standing} /><${Turn} /><${Clock} /></div>
  </div>`;
}

goLive();
startPage("nav.obs", Obs, { bare: true });
