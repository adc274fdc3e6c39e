// The first run: rules, players, camera, corners, opening layout, play. Nothing typed but names.
import { post, refresh, remove, tell } from "../lib/api.js";
import { goLive } from "../lib/live.js";
import { list, t } from "../lib/i18n.js";
import { camera, match, snapshot } from "../lib/store.js";
import { html, names, signal, useEffect } from "../lib/ui.js";
import { startPage } from "../parts/page.js";
import { CameraStep } from "../setup/camera_step.js";
import { CheckStep } from "../setup/check_step.js";
import { CornersStep } from "../setup/corners_step.js";
import { matchRequest, plan, remember, remembered, seatsFor } from "../setup/plan.js";
import { PlayersStep } from "../setup/players_step.js";
import { RulesStep } from "../setup/rules_step.js";

const STEPS = ["rules", "players", "camera", "corners", "check"];
const stepOfHash = () => (STEPS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "rules");
const step = signal(stepOfHash());
let created = null; // the match that this visit began, while nothing is played in it

const go = (name) => {
  location.hash = name;
  step.value = name;
};

/** Begin the match of the plan; an earlier one of this visit is dropped. */
async function begin() {
  const made = await tell(() => post("/api/matches", matchRequest(plan.value)));
  if (!made) return false;
  remember();
  if (created) await remove(`/api/matches/${created}`).catch(() => {});
  created = made.id ?? made.match?.id ?? null;
  await refresh().catch(() => {});
  return true;
}

async function forward() {
  const now = step.value;
  if (now === "players" && !(await begin())) return;
  if (now === "check") return location.assign("/");
  if (now === "camera" && camera.value.state === "none") return location.assign("/");
  go(STEPS[STEPS.indexOf(now) + 1]);
}

function Setup() {
  useEffect(() => {
    const onHash = () => (step.value = stepOfHash());
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  const now = step.value;
  const index = STEPS.indexOf(now);
  return html`<div class="setup-page">
    <h1>${t("nav.setup")}</h1>
    ${now === "rules" && remembered && html`<${Again} />`}
    <ol class="steps" aria-label=${t("setup.steps")}>
      ${STEPS.map((name, i) => html`<li class=${names(name === now && "step-now", i < index && "step-done")}>
        ${i < index || (match.value && i !== index)
          ? html`<a href=${`#${name}`}>${t(`setup.step.${name}`)}</a>`
          : html`<span aria-current=${name === now ? "step" : undefined}>${t(`setup.step.${name}`)}</span>`}
      </li>`)}
    </ol>
    <section class="card" aria-label=${t(`setup.step.${now}`)}>
      ${now === "rules" && html`<${RulesStep} />`}
      ${now === "players" && html`<${PlayersStep} />`}
      ${now === "camera" && html`<${CameraStep} onNone=${() => location.assign("/")} />`}
      ${now === "corners" && html`<${CornersStep} />`}
      ${now === "check" && html`<${CheckStep} />`}
      <div class="row between setup-foot">
        ${index > 0 ? html`<button type="button" onClick=${() => go(STEPS[index - 1])}>${t("back")}</button>` : html`<span></span>`}
        <button type="button" class="primary" onClick=${forward}>${t(forwardLabel(now))}</button>
      </div>
    </section>
  </div>`;
}

function forwardLabel(now) {
  if (now === "check") return "setup.play";
  if (now === "camera" && camera.value.state === "none") return "setup.play_without";
  if (now === "corners") return "setup.corners.right";
  return "next";
}

/** As last time: same rules, players and camera, if the camera still sees the board where it was. */
function Again() {
  const { names: kept, rules, count } = plan.value;
  const people = seatsFor(count).map((seat) => kept[seat]?.trim() || t(`seat.${seat}`));
  const { state, calibrated } = camera.value;
  const sight = state === "live" ? (calibrated ? "setup.again.verified" : "setup.again.moved") : "setup.again.no_camera";
  const start = async () => {
    if (!(await begin())) return;
    if (state === "live" && !calibrated) go("corners");
    else location.assign("/");
  };
  return html`<section class="card again" aria-label=${t("setup.again")}>
    <h2>${t("setup.again")}</h2>
    <p dir="auto">${t(`rules.${rules}`)} · ${list(people)}</p>
    ${snapshot.value && html`<p class="faint" role="status">${t(sight)}</p>`}
    <button type="button" class="primary big" onClick=${start}>${t("setup.play")}</button>
  </section>`;
}

goLive();
startPage("nav.setup", Setup);
