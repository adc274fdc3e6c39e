"""What follows a table, from pictures or from a trace, made ready for a match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.seats import Seat
from referee.laws import Laws
from sim.camera.films import Film
from vision.frames import Frame
from vision.pipeline import LiveTable, Pipeline
from vision.seen import BoardSeen
from vision.table_events import TableEvent
from vision.table_view import TableView

__all__ = ["Follows", "family_of_rules", "pipeline_for", "pipeline_for_film", "seats_of_players"]

_SEATS: dict[int, tuple[Seat, ...]] = {
    2: (Seat.SOUTH, Seat.NORTH),
    3: (Seat.SOUTH, Seat.EAST, Seat.NORTH),
    4: tuple(Seat),
}


class Follows(Protocol):
    """What of ``vision.pipeline.Pipeline`` is needed here."""

    @property
    def calibrated(self) -> BoardSeen | None:
        """The board, once it is known."""
        ...

    @property
    def live(self) -> LiveTable:
        """The table as it is now."""
        ...

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take one frame; what became certain with it."""
        ...

    def finish(self) -> tuple[TableEvent, ...]:
        """What the end of a recording makes certain."""
        ...


def family_of_rules(laws: Laws) -> BoardFamily:
    """The board that these laws are played on."""
    return BoardFamily.HIKONE if laws.ruleset.hikone else BoardFamily.ICF


def seats_of_players(players: int) -> tuple[Seat, ...]:
    """Where so many sit. Two face each other over the board."""
    return _SEATS[players]


def pipeline_for(
    laws: Laws,
    seats: Collection[Seat],
    *,
    spec: BoardSpec | None = None,
    board: BoardSeen | None = None,
    corners_px: Sequence[tuple[float, float]] | None = None,
    turn: int = 0,
    threads: int = 2,
    on_view: Callable[[TableView], None] | None = None,
) -> Pipeline:
    """The shipped networks before a follower. ``corners_px``: where a person says the surface is;
    ``board``: from an earlier look at the same source. Raises ``WeightsError``."""
    from vision.board_finder import BoardFinder
    from vision.detector import Detector
    from vision.network import Network
    from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

    finder = BoardFinder(Network(weights_path(BOARD_WEIGHTS), threads=threads))
    detector = Detector(Network(weights_path(DISC_WEIGHTS), threads=threads))
    pipeline = Pipeline(
        finder, detector, family=family_of_rules(laws), spec=spec, seats=seats, board=board,
        turn=turn, on_view=on_view,
    )  # fmt: skip
    if corners_px is not None:
        pipeline.calibrate(corners_px, turn=turn)
    return pipeline


def pipeline_for_film(film: Film) -> Pipeline:
    """For a film whose rules, seats and South are known, as people would say them before a match.
    The sizes of its board are not told: a camera would not know them either."""
    match = film.timeline.match
    turn = _turn_of(film)
    return pipeline_for(match.laws, tuple(match.state.seats), threads=1, turn=turn)


def _turn_of(film: Film) -> int:
    """By how many quarters South lies from the bottom of the picture, counter-clockwise."""
    camera = film.studio.scene.camera
    middle, south = camera.board_to_px(np.array([[0.0, 0.0], [0.0, -film.timeline.board.half_mm]]))
    right, down = south - middle
    return round(float(np.arctan2(right, down)) / (np.pi / 2)) % 4
