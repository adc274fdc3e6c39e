"""Suggestions for the player on turn, thought out beside the game and dropped when it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from api.table.player_hands import Meant, PlayerHands, player_at
from carrom.errors import CarromError
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.stroke import Stroke
from referee.laws import Laws
from referee.phrases import Language
from referee.state import State

if TYPE_CHECKING:
    from sim.advisor import Advice, Situation
    from sim.advisor.skill import Skill
    from sim.advisor.suggestion import Suggestion

__all__ = ["AdviceDesk"]

_ENDS = 24


class AdviceDesk:
    """One thought at a time. ``ready``: called from the thinking thread whenever there is news;
    ``hands``: what is known of the players' hands."""

    def __init__(self, ready: Callable[[], None], hands: PlayerHands, *, workers: int = 2) -> None:
        self._ready, self._workers = ready, workers
        self._lock = threading.Lock()
        self._round = 0
        self._pool: ThreadPoolExecutor | None = None
        self._helpers: ThreadPoolExecutor | None = None
        self.state = "off"
        self.seat: str | None = None
        self.skill = "club"
        self.items: list[dict[str, Any]] = []
        self.refusal: dict[str, str] | None = None
        self._hands, self._learned = hands, 0
        self._shown: tuple[Meant, ...] = ()

    def data(self) -> dict[str, Any]:
        """The key ``suggestions`` of the snapshot."""
        with self._lock:
            return {
                "state": self.state, "seat": self.seat, "skill": self.skill,
                "items": list(self.items), "refusal": self.refusal, "learned": self._learned,
            }  # fmt: skip

    def stop(self, state: str = "off") -> None:
        """Forget what is being thought, within 20 ms: the board moves, or nobody asks."""
        with self._lock:
            self._round += 1
            self.state, self.items, self.refusal = state, [], None

    def think(self, position: Position, state: State, laws: Laws) -> None:
        """Think about the seat on turn; returns at once."""
        with self._lock:
            self._round += 1
            mine = self._round
            self.state, self.seat, self.items, self.refusal = "thinking", state.turn.value, [], None
            self._shown = ()
            model = self._hands.model(player_at(state, state.turn), self.skill)
            self._learned = model.strokes
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="advice")
                self._helpers = ThreadPoolExecutor(self._workers, thread_name_prefix="strokes")
        men = Position(tuple(d for d in position if d.kind is not PieceKind.STRIKER))
        self._pool.submit(self._run, mine, men, state, laws, model.skill)

    def struck(self, player: str, tracked: Stroke) -> None:
        """Learn how well this player strikes, if a suggestion was shown before the stroke."""
        with self._lock:
            shown, self._shown = self._shown, ()
            if shown:
                self._hands.struck(player, shown, tracked)

    def close(self) -> None:
        """End the threads."""
        self.stop()
        for pool in (self._pool, self._helpers):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, mine: int, position: Position, state: State, laws: Laws, skill: Skill) -> None:
        from sim.advisor import situation_of, thoughts

        def cancelled() -> bool:
            return self._round != mine

        if cancelled():
            return
        try:
            situation = situation_of(position, laws, state=state)
            stream = thoughts(situation, skill, executor=self._helpers, cancelled=cancelled)
            for advice in stream:
                if not self._show(mine, advice, situation):
                    return
        except CarromError as error:
            self._fail(mine, str(error))

    def _show(self, mine: int, advice: Advice, situation: Situation) -> bool:
        from sim.advisor.wording import tell_refusal

        items = [_item(one, situation, one is advice.safe) for one in advice.all]
        words = {one.value: tell_refusal(advice, one) or "" for one in Language}
        with self._lock:
            if self._round != mine:
                return False
            self.state, self.items = "ready", items
            self._shown = tuple(_meant(one) for one in advice.all if one.path)
            self.refusal = words if advice.refusal is not None else None
        self._ready()
        return True

    def _fail(self, mine: int, reason: str) -> None:
        with self._lock:
            if self._round != mine:
                return
            self.state, self.items = "ready", []
            self.refusal = {one.value: reason for one in Language}
        self._ready()


def _meant(one: Suggestion) -> Meant:
    return Meant(one.stroke, one.path[0].points_mm[1])


def _item(one: Suggestion, situation: Situation, safe: bool) -> dict[str, Any]:
    from sim.advisor.wording import tell

    words = {language.value: tell(one, situation, language) for language in Language}
    stroke = one.stroke
    return {
        "kind": one.kind.value,
        "chance": round(one.chance.value, 3),
        "error": round(one.chance.error, 3),
        "foul": round(one.foul.value, 3),
        "placement": [round(v, 1) for v in stroke.placement_mm],
        "angle_rad": round(stroke.angle_rad, 4),
        "speed_m_s": round(stroke.speed_mm_s / 1000.0, 2),
        "target": None if one.target_piece is None else one.target_piece.value,
        "pocket": None if one.pocket is None else one.pocket.value,
        "safe": safe,
        "path": [[[round(x, 1), round(y, 1)] for x, y in leg.points_mm] for leg in one.path],
        "spread": [[round(x, 1), round(y, 1)] for x, y in one.ends_mm[:_ENDS]],
        "text": {code: f"{told.title}. {told.order}" for code, told in words.items()},
        "odds": {code: list(told.odds) for code, told in words.items()},
    }
