// The board on the page: the camera's picture or the clean drawing, with one overlay for both.
import { list, t } from "../lib/i18n.js";
import { live } from "../lib/live.js";
import {
  boardName,
  camera,
  letters,
  pictured,
  pictureSize,
  quarter,
  showAdvice,
  snapshot,
  state,
  table,
  view as wantedView,
} from "../lib/store.js";
import { computed, html, useEffect, useRef, signal } from "../lib/ui.js";
import { BoardDrawing } from "./drawing.js";
import { kindName } from "./discs.js";
import { Advice, Covered, Discs, Ghosts, PutBack, TurnStrip } from "./overlay.js";
import { cameraView, drawnView } from "./view.js";

/** Which suggestion is shown in full. */
export const chosenAdvice = signal(0);

export const hasPicture = computed(
  () => pictured.value && camera.value.state !== "none" && Boolean(camera.value.homography),
);
const isCamera = computed(() => wantedView.value !== "drawn" && hasPicture.value);

const currentView = computed(() => {
  const turnBy = quarter.value & 3;
  const { homography, size } = camera.value;
  if (isCamera.value) {
    return cameraView(boardName.value, homography, size ?? pictureSize.value ?? [1280, 720], turnBy);
  }
  return drawnView(boardName.value, turnBy);
});

/** Canvas in which the painter draws; placed so that `box` of the whole picture fills the stage. */
function Picture({ view }) {
  const canvas = useRef(null);
  useEffect(() => live.painter.add(canvas.current, view.quarter), [view.quarter]);
  const [x, y, width, height] = view.box;
  const [wholeWidth, wholeHeight] = view.whole;
  const share = (part, of) => `${((100 * part) / of).toFixed(3)}%`;
  return html`<canvas
    ref=${canvas}
    aria-hidden="true"
    style=${{
      left: share(-x, width),
      top: share(-y, height),
      width: share(wholeWidth, width),
      height: share(wholeHeight, height),
    }}
  ></canvas>`;
}

/** What lies on the board, in words, for those who do not see it. */
function describe(discs) {
  const counts = {};
  for (const { kind } of discs ?? []) counts[kind] = (counts[kind] ?? 0) + 1;
  const parts = Object.entries(counts).map(([kind, n]) => `${n} ${kindName(kind)}`);
  return parts.length ? t("board.lies", { pieces: list(parts) }) : t("board.empty");
}

/** The live board. `quiet`: no advice and no strip (spectators). */
export function Stage({ quiet = false }) {
  const view = currentView.value;
  const now = table.value ?? {};
  const advice = snapshot.value?.suggestions;
  const [x, y, width, height] = view.box;
  const showsAdvice = !quiet && showAdvice.value && advice?.state !== "locked" && !now.hands;
  return html`<div
    class=${`stage stage-${view.kind}`}
    style=${{ aspectRatio: `${width} / ${height}`, "--stage-ratio": width / height }}
  >
    ${view.kind === "camera" && html`<${Picture} view=${view} />`}
    <svg viewBox=${`${x} ${y} ${width} ${height}`} role="img" aria-label=${describe(now.discs)}>
      ${view.kind === "drawn" && html`<${BoardDrawing} view=${view} />`}
      ${!quiet && state.value?.turn && !state.value.winner && html`<${TurnStrip} view=${view} seat=${state.value.turn} />`}
      <${Covered} view=${view} rows=${now.covered} />
      <${Discs} view=${view} discs=${now.discs} showLetter=${letters.value} />
      <${PutBack} view=${view} tasks=${state.value?.must} />
      ${now.in_step === false && html`<${Ghosts} view=${view} ghosts=${now.ghosts} />`}
      ${showsAdvice && html`<${Advice} view=${view} items=${advice?.items} chosen=${chosenAdvice.value} />`}
    </svg>
  </div>`;
}
