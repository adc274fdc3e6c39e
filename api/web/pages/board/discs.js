// Discs: never by colour alone. Each kind has a letter and a face of its own.
import { t } from "../lib/i18n.js";
import { html, names } from "../lib/ui.js";
import { radiusOf } from "./view.js";

export const LETTERS = { white: "W", black: "B", queen: "Q", red: "R", green: "G", jack: "J", striker: "S" };

/** The name of a kind in the language of the page. */
export const kindName = (kind) => t(`kind.${kind}`);

/** One disc. On a picture it is a thin ring with its letter, on the drawn board a whole disc. */
export function Disc({ view, disc, showLetter, extra = "", onPick }) {
  const at = [disc.x, disc.y];
  const [x, y] = view.project(at);
  const scale = view.scale(at);
  const r = radiusOf(view.board, disc.kind) * scale;
  const isDrawn = view.kind === "drawn";
  const label = kindName(disc.kind);
  return html`<g
    class=${names("disc", `disc-${disc.kind}`, isDrawn ? "disc-whole" : "disc-ring", extra)}
    transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
    data-kind=${disc.kind}
    onClick=${onPick && (() => onPick(disc))}
  >
    <title>${label}</title>
    <circle class="disc-body" r=${r} />
    ${isDrawn && html`<${Face} kind=${disc.kind} r=${r} />`}
    ${showLetter && html`<text class="disc-letter" font-size=${r * (isDrawn ? 0.95 : 0.9)} dy="0.35em">${t(`letter.${disc.kind}`)}</text>`}
  </g>`;
}

/** The turned grooves of a real disc, one pattern for each kind. */
function Face({ kind, r }) {
  if (kind === "striker") {
    return html`<circle class="disc-groove" r=${r * 0.8} /><circle class="disc-groove" r=${r * 0.55} />`;
  }
  if (kind === "queen" || kind === "jack") {
    return html`<circle class="disc-groove disc-groove-double" r=${r * 0.72} />`;
  }
  if (kind === "black" || kind === "green") {
    return html`<rect
      class="disc-groove"
      x=${-r * 0.5}
      y=${-r * 0.5}
      width=${r}
      height=${r}
      transform="rotate(45)"
    />`;
  }
  return html`<circle class="disc-groove" r=${r * 0.74} />`;
}

/** A small picture of a kind for buttons and lists. */
export function KindIcon({ kind, size = 28 }) {
  const view = { kind: "drawn", board: { radii: { [kind]: 15 } }, project: () => [0, 0], scale: () => 1 };
  return html`<svg class="kind-icon" width=${size} height=${size} viewBox="-17 -17 34 34" aria-hidden="true">
    <${Disc} view=${view} disc=${{ kind, x: 0, y: 0 }} showLetter=${true} />
  </svg>`;
}
