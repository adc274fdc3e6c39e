// What follows a finished board or game, and claims that only people can make.
import { command } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { seatsOf } from "../lib/match.js";
import { match, state } from "../lib/store.js";
import { html } from "../lib/ui.js";
import { seatName } from "./score.js";

export function Next() {
  const phase = state.value?.phase;
  if (phase === "board_over") {
    return html`<button type="button" class="primary big" onClick=${() => command("next_board")}>${t("next.board")}</button>`;
  }
  if (phase === "game_over") {
    return html`<button type="button" class="primary big" onClick=${() => command("next_game")}>${t("next.game")}</button>`;
  }
  if (phase === "match_over") {
    return html`<div class="row">
      <a class="button primary" href=${`/matches/${match.value?.id}/sheet`}>${t("sheet")}</a>
      <a class="button" href="/setup">${t("next.match")}</a>
    </div>`;
  }
  if (phase === "needs_human") {
    return html`<div class="card">
      <h2>${t("human")}</h2>
      <div class="answers">
        ${seatsOf(match.value).map((seat) => html`<button type="button" onClick=${() => command("janken", { seat })}>
          ${t("human.won", { who: seatName(seat) })}
        </button>`)}
        <button type="button" onClick=${() => command("resume_play", { seat: state.value.turn ?? seatsOf(match.value)[0] })}>${t("human.resume")}</button>
      </div>
    </div>`;
  }
  return null;
}
