// What keeps the table from seeing, in plain words, with what to do about it.
import { command, post, tell } from "../lib/api.js";
import { has, list, t } from "../lib/i18n.js";
import { camera, link, snapshot, table } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { kindName } from "../board/discs.js";
import { manualOpen } from "./manual.js";

/** The most pressing problem as {key, tone, actions}, or null. */
export function problem(linkState, now, cameraNow) {
  if (linkState === "unpaired") return { key: "link.unpaired", tone: "warn", actions: [] };
  if (linkState === "lost") return { key: "link.lost", tone: "bad", actions: [] };
  const state = cameraNow?.state ?? "none";
  if (state === "none") return null;
  if (state === "opening") return { key: "camera.opening", tone: "info", actions: [] };
  if (state === "ended") return { key: "camera.ended", tone: "info", actions: ["camera"] };
  if (state === "lost") return { key: "camera.lost", tone: "bad", actions: ["camera", "manual"] };
  if (state === "stale") return { key: "camera.stale", tone: "bad", actions: ["camera", "manual"] };
  const sight = now?.sight ?? "good";
  if (sight === "moved" || sight === "no_board") {
    return { key: `sight.${sight}`, tone: "bad", actions: ["recalibrate", "corners"] };
  }
  if (sight !== "good") return { key: `sight.${sight}`, tone: "bad", actions: [] };
  if (cameraNow.calibrated === false) {
    return { key: "camera.uncalibrated", tone: "info", actions: ["recalibrate", "corners"] };
  }
  return null;
}

const ACTIONS = {
  camera: () => html`<a class="button" href="/setup#camera">${t("do.camera")}</a>`,
  corners: () => html`<a class="button" href="/setup#corners">${t("do.corners")}</a>`,
  manual: () => html`<span>${t("do.manual")}</span>`,
  recalibrate: () => html`<button type="button" onClick=${() => tell(() => post("/api/camera/calibrate"))}>${t("do.recalibrate")}</button>`,
};

export function Banner() {
  const found = problem(link.value, table.value, camera.value);
  const advice = (camera.value.advice ?? []).filter((code) => has(`tip.${code}`));
  return html`<div aria-live="assertive" class="banners">
    ${found && html`<div class=${`banner banner-${found.tone}`} data-problem=${found.key}>
      <p><strong>${t(found.key)}</strong> ${t(`${found.key}.do`)}</p>
      ${found.key.startsWith("sight.") && table.value?.note && html`<small lang="en">${table.value.note}</small>`}
      <div class="row">${found.actions.map((name) => ACTIONS[name]())}</div>
    </div>`}
    ${!found && camera.value.state === "live" && advice.length > 0 && html`<div class="banner banner-info">
      <p>${list(advice.map((code) => t(`tip.${code}`)))}</p>
    </div>`}
    <${Problem} />
    <${OutOfStep} />
  </div>`;
}

/** A stroke was seen that no record allows: a person says what it was. */
function Problem() {
  const found = snapshot.value?.problem;
  if (!found) return null;
  return html`<div class="banner banner-warn" data-problem="problem">
    <p><strong>${t("problem")}</strong></p>
    <div class="row">
      <button type="button" class="primary" onClick=${() => (manualOpen.value = true)}>${t("problem.enter")}</button>
      <button type="button" onClick=${() => command("delete")}>${t("problem.drop")}</button>
    </div>
    <small lang="en">${found.reason}</small>
  </div>`;
}

/** How many ghosts of a kind are missing or too many, each said once. */
export function ghostWords(ghosts) {
  const counts = new Map();
  for (const { kind, why } of ghosts) counts.set(`${why} ${kind}`, (counts.get(`${why} ${kind}`) ?? 0) + 1);
  return [...counts].map(([key, n]) => {
    const [why, kind] = key.split(" ");
    const text = t(`ghost.${why}`, { piece: kindName(kind) });
    return n > 1 ? `${n} × ${text}` : text;
  });
}

/** Board and record differ: go on with the record, or take over what lies there. */
function OutOfStep() {
  const now = table.value;
  if (!snapshot.value?.match || now?.in_step !== false) return null;
  const ghosts = now.ghosts ?? [];
  return html`<div class="banner banner-warn" data-problem="out_of_step">
    <p>
      <strong>${t("step.out")}</strong>${" "}
      ${list(ghostWords(ghosts))}
    </p>
    <div class="row">
      <button type="button" onClick=${() => command("continue")}>${t("step.continue")}</button>
      <button type="button" onClick=${() => command("accept_board")}>${t("step.accept")}</button>
    </div>
    <small>${t("step.hint")}</small>
  </div>`;
}
