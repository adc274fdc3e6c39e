"""What is not certain about a stroke: questions with ranked answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from carrom.errors import OutcomeError
from carrom.events import Event

__all__ = ["Answer", "Doubt", "Question"]


class Question(StrEnum):
    """What a person is asked when the facts are not certain."""

    WAS_POCKETED = "was_pocketed"
    WHICH_PIECE = "which_piece"
    WHICH_POCKET = "which_pocket"
    LEFT_BOARD = "left_board"
    FIRST_CONTACT = "first_contact"
    HAND_MOVED_PIECE = "hand_moved_piece"
    STRIKER_RECALLED_EARLY = "striker_recalled_early"
    PLACEMENT_LEGAL = "placement_legal"
    WHO_STRUCK = "who_struck"
    WAS_A_STROKE = "was_a_stroke"
    BREAK_TOUCHED = "break_touched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One possible answer: the events that hold if it is true, and how likely it is (0 to 1)."""

    code: str
    likelihood: float
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.likelihood <= 1.0:
            raise OutcomeError(
                f"answer {self.code!r}: likelihood expected 0 to 1, got {self.likelihood!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A question with ranked answers. ``at`` is the index in the outcome's events before which
    the answer's events belong; ``None`` puts them at the end (only contacts have an order)."""

    id: str
    question: Question
    answers: tuple[Answer, ...]
    at: int | None = None

    def __post_init__(self) -> None:
        codes = [answer.code for answer in self.answers]
        if len(codes) < 2 or len(set(codes)) != len(codes):
            raise OutcomeError(
                f"doubt {self.id!r}: expected two or more distinct answers, got {codes!r}"
            )
        total = sum(answer.likelihood for answer in self.answers)
        if total > 1.0 + 1e-6:
            raise OutcomeError(
                f"doubt {self.id!r}: likelihoods add up to {total!r}, expected at most 1"
            )

    @property
    def ranked(self) -> tuple[Answer, ...]:
        """The answers, most likely first."""
        return tuple(sorted(self.answers, key=lambda answer: (-answer.likelihood, answer.code)))

    def answer(self, code: str) -> Answer:
        """The answer with this code. Raises ``OutcomeError`` if there is none."""
        for candidate in self.answers:
            if candidate.code == code:
                return candidate
        codes = [candidate.code for candidate in self.answers]
        raise OutcomeError(f"doubt {self.id!r}: expected one of {codes!r}, got {code!r}")
