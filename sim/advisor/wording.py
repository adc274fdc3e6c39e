"""Advice in sentences, in the languages of ``referee.explain``; the only place that has words.

Words of suggestions are in ``phrases/*.toml``; names of pieces are the referee's, in the words of
the ruleset.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from math import dist

from carrom.board_marks import to_seat_frame
from carrom.board_spec import BoardFamily
from carrom.pieces import PieceKind
from carrom.seats import Pocket
from referee.phrases import Family, Language, load_phrases
from sim.advisor.situation import Situation
from sim.advisor.suggestion import Advice, Aim, FrameSide, ShotKind, Suggestion

__all__ = ["SuggestionText", "tell", "tell_refusal"]

_MIDDLE_MM = 2.5
_CORNER_OF = {
    (-1, -1): "near_left",
    (1, -1): "near_right",
    (-1, 1): "far_left",
    (1, 1): "far_right",
}
_THIRD = 1 / 3


@dataclass(frozen=True, slots=True)
class SuggestionText:
    """``title``: kind, piece and pocket; ``order``: what to do; ``odds``: chances, one sentence
    each."""

    title: str
    order: str
    odds: tuple[str, ...]


def tell(suggestion: Suggestion, situation: Situation, language: Language | str) -> SuggestionText:
    """The words for one suggestion. Raises ``FormatError`` for a language without a catalogue."""
    return _Telling(situation, Language(language)).suggestion(suggestion)


def tell_refusal(advice: Advice, language: Language | str) -> str | None:
    """Why there is no suggestion, in one sentence; ``None`` if there is one."""
    if advice.refusal is None:
        return None
    words = _words(Language(language))
    return words["text.sentence"].format(text=words[f"refusal.{advice.refusal.value}"])


@functools.cache
def _words(language: Language) -> Mapping[str, str]:
    path = resources.files("sim.advisor").joinpath(f"phrases/{language.value}.toml")
    tables = tomllib.loads(path.read_text("utf-8"))
    return {
        f"{group}.{key}": text for group, texts in tables.items() for key, text in texts.items()
    }


class _Telling:
    """One situation in one language."""

    def __init__(self, situation: Situation, language: Language) -> None:
        self._situation = situation
        self._words = _words(language)
        family = Family(situation.laws.ruleset.value.removeprefix("point_"))
        self._pieces = load_phrases(language, family)

    def _say(self, key: str, **fields: str) -> str:
        text = self._words[key].format(**fields)
        return text[:1].upper() + text[1:] if key.startswith(("kind.", "chance.")) else text

    def suggestion(self, suggestion: Suggestion) -> SuggestionText:
        """See ``tell``."""
        return SuggestionText(
            title=self._title(suggestion),
            order=self._order(suggestion),
            odds=tuple(self._say("text.sentence", text=odd) for odd in self._odds(suggestion)),
        )

    def _title(self, suggestion: Suggestion) -> str:
        kind, pocket = suggestion.kind, suggestion.pocket
        if suggestion.target_piece is None or pocket is None:
            return self._say(f"kind.{kind.value}", piece="", pocket="")
        piece = self._piece(suggestion.target_piece)
        return self._say(f"kind.{kind.value}", piece=piece, pocket=self._pocket(pocket))

    def _piece(self, kind: PieceKind) -> str:
        return self._pieces.say(f"piece.{kind.value}")

    def _pocket(self, pocket: Pocket) -> str:
        centre = self._situation.board.pocket_centres[pocket]
        x, y = to_seat_frame(self._situation.seat, *centre)
        corner = _CORNER_OF[1 if x > 0 else -1, 1 if y > 0 else -1]
        return self._say(f"pocket.{corner}")

    def _order(self, suggestion: Suggestion) -> str:
        speed = f"{suggestion.stroke.speed_mm_s / 1000:.1f}".replace(".", self._say("text.decimal"))
        hardness = self._say(f"hardness.{suggestion.hardness.value}", speed=speed)
        place = self._place(suggestion)
        if suggestion.aim is None:
            return self._say("text.order_without_aim", place=place, hardness=hardness)
        return self._say(
            "text.order", place=place, aim=self._aim(suggestion.aim), hardness=hardness
        )

    def _place(self, suggestion: Suggestion) -> str:
        situation, along = self._situation, suggestion.along_mm
        board = situation.board
        icf = board.family is BoardFamily.ICF
        tee = not icf and situation.seat in situation.state.tee_shots_due
        if tee:
            away = dist(board.tee_spot(situation.seat), suggestion.stroke.placement_mm)
            if away > _MIDDLE_MM:
                return self._say("place.tee_beside", mm=f"{away:.0f}")
            return self._say("place.tee")
        line = self._say("line.base" if icf else "line.area")
        side = "right" if along > 0 else "left"
        if icf:
            circle = board.base_line_markings.base_circle_x(board.half_mm)
            if abs(abs(along) - circle) < board.radii_mm[PieceKind.STRIKER] / 2:
                return self._say(f"place.{side}_circle")
        if abs(along) < _MIDDLE_MM:
            return self._say("place.middle", line=line)
        return self._say(f"place.{side}", line=line, mm=f"{abs(along):.0f}")

    def _aim(self, aim: Aim) -> str:
        if aim.frame is not None:
            return self._say(
                f"aim.{_frame(aim.frame, aim.along_mm)}", mm=f"{abs(aim.along_mm):.0f}"
            )
        if aim.piece is None or aim.fullness is None:
            return self._say("aim.far_right", mm="0")
        return self._say(
            "aim.piece",
            part=self._say(f"part.{aim.fullness.value}"),
            piece=self._piece(aim.piece),
            where=self._say(f"where.{self._where(aim)}"),
        )

    def _where(self, aim: Aim) -> str:
        x, y = to_seat_frame(self._situation.seat, *aim.point_mm)
        half = self._situation.board.half_mm
        depth = "far" if y > _THIRD * half else "near" if y < -_THIRD * half else "middle"
        side = "right" if x > _THIRD * half else "left" if x < -_THIRD * half else "centre"
        return f"{depth}_{side}"

    def _odds(self, suggestion: Suggestion) -> list[str]:
        key = {ShotKind.SAFE: "safe", ShotKind.BREAK: "break"}.get(suggestion.kind, "again")
        chance = suggestion.chance
        error = f"{max(1.0, 100 * chance.error):.0f}"
        odds = [self._say(f"chance.{key}", percent=_percent(chance.value), error=error)]
        if suggestion.foul.value >= 0.005:
            odds.append(self._say("chance.foul", percent=_percent(suggestion.foul.value)))
        if suggestion.leave.own is not None and suggestion.kind is not ShotKind.SAFE:
            odds.append(self._say("chance.own", percent=_percent(suggestion.leave.own)))
        if suggestion.leave.opponent is not None:
            odds.append(self._say("chance.opponent", percent=_percent(suggestion.leave.opponent)))
        return odds


def _frame(side: FrameSide, along_mm: float) -> str:
    if side in (FrameSide.FAR, FrameSide.OWN):
        return f"{side.value}_{'right' if along_mm >= 0 else 'left'}"
    return f"{side.value}_{'far' if along_mm >= 0 else 'near'}"


def _percent(share: float) -> str:
    """Whole per cents; never 100 or 0 for what was only counted."""
    return f"{min(max(100 * share, 1.0), 99.0):.0f}"
