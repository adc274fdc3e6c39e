// The big scoreboard: picture, score, the call, and a code to join with.
import { Stage } from "../board/stage.js";
import { goLive } from "../lib/live.js";
import { t } from "../lib/i18n.js";
import { link, match, showAdvice } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { Banner } from "../parts/banner.js";
import { Call, ToDo } from "../parts/call.js";
import { Clock } from "../parts/clock.js";
import { startPage } from "../parts/page.js";
import { JoinCode } from "../parts/pairing.js";
import { Score, Standing, Turn } from "../parts/score.js";

function Tv() {
  const advice = new URLSearchParams(location.search).has("advice");
  showAdvice.value = advice;
  return html`<div class="tv-page">
    <h1 class="unseen">${match.value?.title || t("app")}</h1>
    <div class="tv-board"><${Stage} quiet=${!advice} /></div>
    <div class="tv-side">
      <div class="row between"><${Turn} /><${Clock} large /></div>
      <${Score} large />
      <${Standing} />
      <${Call} actions=${false} />
      <${ToDo} />
      ${link.value !== "live" && html`<${Banner} />`}
      <${JoinCode} role="viewer" label=${t("tv.join")} />
    </div>
  </div>`;
}

goLive();
startPage("nav.tv", Tv, { bare: true });
