// What is laid over the board: discs, who strikes and from where, what to put back, ghosts, advice.
import { percent, t } from "../lib/i18n.js";
import { html, names } from "../lib/ui.js";
import { Disc } from "./discs.js";
import { points, radiusOf } from "./view.js";

const SEAT_TURN = { S: 0, E: 1, N: 2, W: 3 };

/** A place of a seat's own frame (its lines have a negative y) in the board frame. */
export function fromSeat(seat, [x, y]) {
  return [
    [x, y],
    [-y, x],
    [-x, -y],
    [y, -x],
  ][SEAT_TURN[seat] ?? 0];
}

/** Where this seat's striker may lie: two ends, and how broad the strip is, mm. */
export function strikingStrip(board, seat) {
  const own = board.marks.filter((mark) => mark.owner === seat);
  const near = own.find((mark) => mark.name === "near_base_line");
  const far = own.find((mark) => mark.name === "far_base_line");
  const area = own.find((mark) => mark.name === "area_line");
  if (area) return { ends: area.line, breadth: 2 * board.radii.striker };
  if (!near || !far) return null;
  const middle = (i) => near.line[i].map((c, axis) => (c + far.line[i][axis]) / 2);
  return { ends: [middle(0), middle(1)], breadth: 2 * board.radii.striker };
}

export function TurnStrip({ view, seat }) {
  const strip = strikingStrip(view.board, seat);
  if (!strip) return null;
  const scale = view.scale(strip.ends[0]);
  return html`<polyline
    class="turn-strip"
    data-seat=${seat}
    points=${points(view, strip.ends)}
    stroke-width=${strip.breadth * scale}
  />`;
}

/** Hands: the cells of the board that something covers, lightly hatched. */
export function Covered({ view, rows }) {
  if (!rows?.length) return null;
  const { half } = view.board;
  const cell = (2 * half) / rows.length;
  const cells = [];
  rows.forEach((row, i) => {
    [...row].forEach((mark, j) => {
      if (mark === "." || mark === " " || mark === "0") return;
      const [x, y] = [-half + j * cell, half - i * cell];
      cells.push([[x, y], [x + cell, y], [x + cell, y - cell], [x, y - cell]]);
    });
  });
  return html`<g class="covered">${cells.map((c) => html`<polygon points=${points(view, c)} />`)}</g>`;
}

/** What the last ruling asks to be put back, where it belongs, while it is not done. */
export function PutBack({ view, tasks }) {
  return html`<g class="put-back">
    ${(tasks ?? []).filter((task) => task.at && (task.done ?? 0) < (task.count ?? 1)).map((task) => {
      const [x, y] = view.project(task.at);
      const r = radiusOf(view.board, task.piece) * view.scale(task.at);
      const left = (task.count ?? 1) - (task.done ?? 0);
      return html`<g transform=${`translate(${x} ${y})`}>
        <circle class="put-back-halo" r=${r * 2.1} />
        <circle class=${`put-back-disc disc-${task.piece}`} r=${r} />
        <path class="put-back-arrow" d=${`M0 ${-r * 4.6}L0 ${-r * 2.4}M${-r * 0.7} ${-r * 3.1}L0 ${-r * 2.3}L${r * 0.7} ${-r * 3.1}`} stroke-width=${r * 0.28} />
        ${left > 1 && html`<text class="tag" font-size=${r * 1.5} x=${r * 1.5} y=${-r * 2.6}>× ${left}</text>`}
      </g>`;
    })}
  </g>`;
}

const GHOST_SIGNS = { missing: "?", extra: "+", moved: "→" };

export function Ghosts({ view, ghosts }) {
  return html`<g class="ghosts">
    ${(ghosts ?? []).map((ghost) => {
      const at = [ghost.x, ghost.y];
      const [x, y] = view.project(at);
      const r = radiusOf(view.board, ghost.kind) * view.scale(at);
      return html`<g class=${`ghost ghost-${ghost.why}`} transform=${`translate(${x} ${y})`}>
        <title>${t(`ghost.${ghost.why}`, { piece: t(`kind.${ghost.kind}`) })}</title>
        <circle r=${r * 1.25} />
        <text font-size=${r * 1.5} dy="0.35em">${GHOST_SIGNS[ghost.why] ?? "?"}</text>
      </g>`;
    })}
  </g>`;
}

/** Suggested strokes: the chosen one in full, the others as thin paths. */
export function Advice({ view, items, chosen = 0 }) {
  if (!items?.length) return null;
  const order = items.map((_, i) => i).filter((i) => i !== chosen);
  return html`<g class="advice">
    ${[...order, chosen].map((i) => items[i] && html`<${Suggestion} view=${view} item=${items[i]} isChosen=${i === chosen} rank=${i + 1} />`)}
  </g>`;
}

function Suggestion({ view, item, isChosen, rank }) {
  const scale = view.scale(item.placement);
  const r = view.board.radii.striker * scale;
  const [x, y] = view.project(item.placement);
  return html`<g class=${names("suggestion", isChosen && "chosen", item.safe && "safe")} data-rank=${rank}>
    ${isChosen && ends(item.spread).map((end) => {
      const [cx, cy] = view.project(end);
      return html`<circle class="spread" cx=${cx} cy=${cy} r=${4 * scale} />`;
    })}
    ${(item.path ?? []).map((path) => html`<polyline class="path" points=${points(view, path)} stroke-width=${(isChosen ? 5 : 3) * scale} />`)}
    <circle class="stand" cx=${x} cy=${y} r=${r} stroke-width=${3 * scale} />
    ${isChosen && html`<${Chance} at=${[x, y]} r=${r} chance=${item.chance} box=${view.box} />`}
  </g>`;
}

/** Where the piece may come to lie: places in a row, or grouped. */
const ends = (spread) => (Array.isArray(spread?.[0]?.[0]) ? spread.flat() : (spread ?? []));

function Chance({ at: [x, y], r, chance, box }) {
  const width = r * 3.6;
  const left = Math.min(Math.max(x - width / 2, box[0] + 4), box[0] + box[2] - width - 4);
  const below = y + r * 3.6 < box[1] + box[3];
  const top = below ? y + r * 1.4 : y - r * 3.4;
  return html`<g class="chance">
    <rect x=${left} y=${top} width=${width} height=${r * 1.9} rx=${r * 0.5} />
    <text x=${left + width / 2} y=${top + r * 1.38} font-size=${r * 1.25}>${percent(chance)}</text>
  </g>`;
}

/** Discs in pockets and beside the board are seen, too, but do not lie on it. */
const isOnBoard = ({ place }) => place !== "pocket" && place !== "off_board";

export function Discs({ view, discs, showLetter, onPick }) {
  return html`<g class="discs">
    ${(discs ?? []).filter(isOnBoard).map((disc) => html`<${Disc} view=${view} disc=${disc} showLetter=${showLetter} onPick=${onPick} extra=${disc.sure < 0.6 ? "unsure" : ""} />`)}
  </g>`;
}
