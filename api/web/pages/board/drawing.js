// The clean board: wood, frame, pockets and the marks of its kind.
import { html } from "../lib/ui.js";
import { frameShown, points } from "./view.js";

/** Everything below the discs. The marks alone (`onlyMarks`) are laid over a picture as a proof. */
export function BoardDrawing({ view, onlyMarks = false }) {
  const { board } = view;
  if (onlyMarks) {
    return html`<g class="proof">
      <polygon points=${points(view, square(board.half))} class="proof-edge" />
      ${Object.values(board.pockets).map((at) => html`<${Ring} view=${view} ring=${[...at, board.pocketRadius]} />`)}
      ${board.marks.map((mark) => html`<${Mark} view=${view} mark=${mark} />`)}
    </g>`;
  }
  const reach = board.half + frameShown(board);
  return html`<g aria-hidden="true">
    <rect class="board-frame" x=${-reach} y=${-reach} width=${2 * reach} height=${2 * reach} rx="26" />
    <rect
      class="board-edge"
      x=${-board.half - 5}
      y=${-board.half - 5}
      width=${2 * board.half + 10}
      height=${2 * board.half + 10}
      rx="5"
    />
    <rect class="board-wood" x=${-board.half} y=${-board.half} width=${2 * board.half} height=${2 * board.half} />
    <clipPath id="board-surface">
      <rect x=${-board.half} y=${-board.half} width=${2 * board.half} height=${2 * board.half} />
    </clipPath>
    <g clip-path="url(#board-surface)">
      ${Object.values(board.pockets).map((at) => {
        const [x, y] = view.project(at);
        return html`<circle class="board-pocket" cx=${x} cy=${y} r=${board.pocketRadius} />`;
      })}
    </g>
    ${board.marks.map((mark) => html`<${Mark} view=${view} mark=${mark} />`)}
  </g>`;
}

const square = (half) => [
  [-half, half],
  [half, half],
  [half, -half],
  [-half, -half],
];

function Mark({ view, mark }) {
  const ink = `ink ink-${mark.ink}`;
  const width = (mark.width ?? 1) * view.scale(mark.line?.[0] ?? [0, 0]);
  if (mark.line) {
    return html`<polyline class=${ink} points=${points(view, mark.line)} stroke-width=${width} />`;
  }
  if (mark.arrow) return html`<${Arrow} view=${view} mark=${mark} ink=${ink} width=${width} />`;
  if (mark.ring) {
    const [x, y, r] = mark.ring;
    return html`<${Ring} view=${view} ring=${[x, y, r - mark.width / 2]} ink=${ink} width=${width} />`;
  }
  if (mark.spot) return html`<${Ring} view=${view} ring=${mark.spot} ink=${`${ink} ink-full`} width="0" />`;
  const [x, y, r] = mark.arc;
  const along = steps(24).map((part) => mark.start + part * mark.sweep);
  const places = along.map((angle) => [x + r * Math.cos(angle), y + r * Math.sin(angle)]);
  return html`<polyline class=${ink} points=${points(view, places)} stroke-width=${width} />`;
}

const steps = (n) => Array.from({ length: n + 1 }, (_, i) => i / n);

/** A circle of the board as it looks from where the camera is. */
function Ring({ view, ring: [x, y, r], ink = "proof-ring", width = 1.5 }) {
  const places = steps(36).map((part) => [
    x + r * Math.cos(part * 2 * Math.PI),
    y + r * Math.sin(part * 2 * Math.PI),
  ]);
  return html`<polygon class=${ink} points=${points(view, places)} stroke-width=${width} />`;
}

function Arrow({ view, mark, ink, width }) {
  const [[x0, y0], [x1, y1]] = mark.arrow;
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = [
    [x1 - 14 * ux - 5 * uy, y1 - 14 * uy + 5 * ux],
    [x1, y1],
    [x1 - 14 * ux + 5 * uy, y1 - 14 * uy - 5 * ux],
  ];
  return html`<polyline class=${ink} points=${points(view, mark.arrow)} stroke-width=${width} />
    <polyline class=${ink} points=${points(view, head)} stroke-width=${width} />`;
}
