// The board's corners on the live picture: found by themselves, draggable by mouse, touch and keys,
// with a loupe; the printed marks laid over the picture are the proof.
import { BoardDrawing } from "../board/drawing.js";
import { boardOf, cameraView } from "../board/view.js";
import { post, tell } from "../lib/api.js";
import { fromPoints, isConvex, surfaceCorners } from "../lib/homography.js";
import { number, t } from "../lib/i18n.js";
import { live } from "../lib/live.js";
import { boardName, camera, pictureSize } from "../lib/store.js";
import { html, useEffect, useRef, useState } from "../lib/ui.js";

const NAMES = ["NW", "NE", "SE", "SW"];
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LOUPE_PX = 60;

/** Corners to begin with where none were found: a square in the middle of the picture. */
export function startCorners([width, height]) {
  const reach = Math.min(width, height) * 0.4;
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [width / 2 + x * reach, height / 2 + y * reach]);
}

export function CornersStep() {
  const now = camera.value;
  const size = now.size ?? pictureSize.value ?? [1280, 720];
  const [mine, setMine] = useState(null); // corners under the hand, before the server knows
  const [active, setActive] = useState(null);
  const timer = useRef(0);
  const corners = mine ?? now.corners_px ?? startCorners(size);
  useEffect(() => {
    setMine(null);
  }, [JSON.stringify(now.corners_px)]);
  const board = boardOf(boardName.value);
  const matrix = isConvex(corners) ? fromPoints(surfaceCorners(board.half), corners) : null;
  const view = matrix && cameraView(boardName.value, matrix, size);
  const send = (next) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(() => post("/api/camera/calibrate", { corners_px: next }).then(() => true)), 400);
  };
  const move = (index, at, isDone) => {
    const kept = [Math.min(size[0], Math.max(0, at[0])), Math.min(size[1], Math.max(0, at[1]))];
    const next = corners.map((corner, i) => (i === index ? kept : corner));
    setMine(next);
    if (isDone && isConvex(next)) send(next);
  };
  const find = () => { setMine(null); tell(() => post("/api/camera/calibrate").then(() => true)); };
  const turn = () => { setMine(null); tell(() => post("/api/camera/calibrate", { turn: 1 }).then(() => true)); };
  return html`<div>
    <h2>${t("setup.corners")}</h2>
    <p>${t("setup.corners.text")}</p>
    <${Picture} size=${size} corners=${corners} view=${view} active=${active} setActive=${setActive} onMove=${move} />
    <p role="status" class="corner-state">${status(matrix, now)}</p>
    <div class="row">
      <button type="button" onClick=${find}>${t("do.recalibrate")}</button>
      <button type="button" onClick=${turn}>${t("setup.corners.turn")}</button>
    </div>
  </div>`;
}

function status(matrix, now) {
  if (!matrix) return t("setup.corners.crossed");
  if (!now.calibrated) return t("setup.corners.not_found");
  return typeof now.residual_mm === "number" ? t("setup.corners.fit", { mm: number(now.residual_mm, { maximumFractionDigits: 1 }) }) : t("setup.corners.found");
}

function Picture({ size, corners, view, active, setActive, onMove }) {
  const box = useRef(null);
  const canvas = useRef(null);
  useEffect(() => live.painter.add(canvas.current, 0), []);
  const place = (event) => {
    const rect = box.current.getBoundingClientRect();
    return [((event.clientX - rect.left) / rect.width) * size[0], ((event.clientY - rect.top) / rect.height) * size[1]];
  };
  return html`<div class="corner-picture" ref=${box} style=${{ aspectRatio: `${size[0]} / ${size[1]}`, "--ratio": size[0] / size[1] }}>
    <canvas ref=${canvas} aria-hidden="true"></canvas>
    <svg viewBox=${`0 0 ${size[0]} ${size[1]}`} aria-hidden="true">${view && html`<${BoardDrawing} view=${view} onlyMarks />`}</svg>
    ${corners.map((corner, i) => html`<${Handle} key=${NAMES[i]} name=${NAMES[i]} at=${corner} size=${size} place=${place}
      onActive=${(on) => setActive(on ? i : null)} onMove=${(at, isDone) => onMove(i, at, isDone)} />`)}
    ${active !== null && html`<${Loupe} canvas=${canvas} at=${corners[active]} size=${size} />`}
  </div>`;
}

function Handle({ name, at, size, place, onActive, onMove }) {
  const isHeld = useRef(false);
  const onKey = (event) => {
    const by = KEYS[event.key];
    if (!by) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    onMove([at[0] + by[0] * step, at[1] + by[1] * step], true);
  };
  const end = (event) => {
    if (!isHeld.current) return;
    isHeld.current = false;
    onMove(place(event), true);
  };
  return html`<button
    type="button"
    class="corner-handle"
    style=${{ left: `${(100 * at[0]) / size[0]}%`, top: `${(100 * at[1]) / size[1]}%` }}
    aria-label=${t("setup.corner", { where: t(`corner.${name}`), x: Math.round(at[0]), y: Math.round(at[1]) })}
    data-corner=${name}
    onKeyDown=${onKey}
    onFocus=${() => onActive(true)}
    onBlur=${() => onActive(false)}
    onPointerDown=${(event) => { isHeld.current = true; event.currentTarget.setPointerCapture(event.pointerId); onActive(true); }}
    onPointerMove=${(event) => isHeld.current && onMove(place(event), false)}
    onPointerUp=${end}
    onPointerCancel=${end}
  ><span aria-hidden="true">${name[0] === "N" ? "⌜" : "⌞"}</span></button>`;
}

/** The surroundings of a corner, four times as large, in the opposite upper corner of the picture. */
function Loupe({ canvas, at, size }) {
  const glass = useRef(null);
  useEffect(() => {
    let request = 0;
    const draw = () => {
      const context = glass.current?.getContext("2d");
      const from = canvas.current;
      if (context && from?.width) {
        const scale = from.width / size[0];
        context.imageSmoothingEnabled = false;
        context.fillRect(0, 0, 200, 200);
        context.drawImage(from, (at[0] - LOUPE_PX / 2) * scale, (at[1] - LOUPE_PX / 2) * scale, LOUPE_PX * scale, LOUPE_PX * scale, 0, 0, 200, 200);
      }
      request = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(request);
  }, [at[0], at[1]]);
  const isLeft = at[0] > size[0] / 2;
  return html`<div class=${`loupe ${isLeft ? "loupe-left" : "loupe-right"}`} aria-hidden="true"><canvas ref=${glass} width="200" height="200"></canvas><span class="loupe-cross"></span></div>`;
}
