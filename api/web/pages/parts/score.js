// Score, dues, colours and whose turn it is.
import { KindIcon, kindName } from "../board/discs.js";
import { list, number, t } from "../lib/i18n.js";
import { sidesOf } from "../lib/match.js";
import { boardName, match, state } from "../lib/store.js";
import { html, names } from "../lib/ui.js";

export const seatName = (who) => {
  const { players = {}, colours = {} } = match.value ?? {};
  const seats = who in players ? [who] : Object.keys(colours).filter((seat) => colours[seat] === who);
  return seats.map((seat) => players[seat]).filter(Boolean).join(" & ") || t(`seat.${who}`);
};

export function Score({ large = false }) {
  if (!match.value) return null;
  const sides = sidesOf(match.value, state.value);
  return html`<section class=${names("score", large && "score-large")} aria-label=${t("score")}>
    ${sides.map((side) => html`<${Side} side=${side} />`)}
  </section>`;
}

function Side({ side }) {
  const shownNames = side.seats.map((seat) => seatName(seat));
  return html`<div class=${names("side", side.isOnTurn && "side-on-turn")} data-side=${side.side}>
    <div class="side-who">
      ${side.colour && html`<${KindIcon} kind=${side.colour} />`}
      <span class="side-names" dir="auto">${list(shownNames)}</span>
    </div>
    <div class="side-points">${number(side.points)}</div>
    <div class="side-facts">
      ${side.games > 0 && html`<span>${t("games", { n: side.games })}</span>`}
      ${side.left !== null && html`<span>${t("left", { n: side.left })}</span>`}
      ${side.debt > 0 && html`<span class="due">${t("due", { n: side.debt })}</span>`}
    </div>
  </div>`;
}

/** Queen or jack, board and game, in one quiet line. */
export function Standing() {
  const now = state.value;
  if (!now) return null;
  const parts = [t("board.number", { n: now.board ?? 1 })];
  if ((now.game ?? 1) > 1) parts.push(t("game.number", { n: now.game }));
  const queen = now.queen;
  const isHikone = String(boardName.value).startsWith("hikone");
  if (queen && !isHikone) {
    const by = queen.by ? (queen.by in (match.value?.players ?? {}) ? seatName(queen.by) : kindName(queen.by)) : "";
    parts.push(t(`queen.${queen.state}`, { by }));
  }
  if (isHikone && now.on_board) parts.push(t(now.on_board.jack === 0 ? "jack.in" : "jack.on_board"));
  return html`<p class="standing">${parts.map((part) => html`<span>${part}</span>`)}</p>`;
}

/** Who strikes, said aloud to screen readers when it changes. */
export function Turn() {
  const now = state.value;
  let text = "";
  if (now?.winner) text = t("won", { who: winnerName(now.winner) });
  else if (now?.phase && now.phase !== "play") text = t(`phase.${now.phase}`);
  else if (now?.turn) text = t("turn", { who: seatName(now.turn) });
  const left = now?.phase === "play" && (now?.strokes_left ?? 1) > 1;
  return html`<p class="turn" role="status">
    <span dir="auto">${text}</span>
    ${left && html`<small>${t("strokes_left", { n: now.strokes_left })}</small>`}
  </p>`;
}

function winnerName(winner) {
  if (Array.isArray(winner)) return list(winner.map(seatName));
  if (winner in (match.value?.players ?? {})) return seatName(winner);
  const side = sidesOf(match.value, state.value).find((one) => one.side === winner);
  return side ? list(side.seats.map(seatName)) : t(`kind.${winner}`);
}
