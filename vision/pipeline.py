"""Frames in, table events out: finds the board, watches it, follows the game. No threads.

    pipeline = Pipeline(BoardFinder(...), Detector(...), family=BoardFamily.ICF)
    for frame in frames:
        for event in pipeline.step(frame):
            ...

While no board is known nothing is followed: a recording is begun again from its start once the
board has been found (``calibrated``), a live table simply goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import board_for
from carrom.errors import CalibrationError
from carrom.seats import Seat
from vision.arrays import Array
from vision.board_finder import Found
from vision.calibration import calibrate_by_hand, still_there
from vision.drift import DriftWatch
from vision.follower import Follower
from vision.following.rest import RestDisc
from vision.frames import Frame
from vision.palette import Palette
from vision.seen import BoardSeen
from vision.steady_gate import SteadyGate
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Phase,
    Sight,
    SightChanged,
    TableEvent,
)
from vision.table_view import TableView
from vision.watching.board_turn import nearest_turn, turned
from vision.watching.watcher import DiscLooker, Mask, Watcher

__all__ = ["Finder", "LiveTable", "Pipeline"]

_SEARCH_S = 0.4
_GATE_FRAMES, _GATE_MM = 3, 2.5
_DRIFT_S, _DRIFT_STILL_S = 2.0, 0.6
_MOVED_MM, _LEAST_SEEN = 3.0, 0.4
_LEAST_LEFT = 0.15
"""Share of the sides below which nothing is left of the board where it was."""
_SURE_THERE = 0.5
_BAD_FRAMES = 5
"""Damaged frames in a row before it is said."""


class Finder(Protocol):
    """Finds the board (``vision.board_finder.BoardFinder``)."""

    def find(self, image_bgr: Array) -> Found:
        """The board of a picture, or the reasons why there is none."""
        ...


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What a page shows between events. ``discs``: as followed now; ``covered``: (16, 16) bool."""

    phase: Phase
    seat: Seat | None
    sight: Sight
    discs: tuple[RestDisc, ...]
    covered: Array | None
    board: BoardSeen | None
    progress: float
    reasons: tuple[str, ...]


class Pipeline:
    """Follows one table. ``spec``: of this board, if it is not the standard one of ``family``.

    ``board``: a saved calibration, verified by the first frame. ``seats``: where somebody sits.
    ``on_view``: is given every view (to record a trace).
    """

    def __init__(
        self,
        finder: Finder,
        looker: DiscLooker,
        *,
        family: BoardFamily,
        spec: BoardSpec | None = None,
        seats: Collection[Seat] = tuple(Seat),
        board: BoardSeen | None = None,
        palette: Palette | None = None,
        turn: int = 0,
        every: bool = False,
        on_view: Callable[[TableView], None] | None = None,
    ) -> None:
        self.spec = board_for(family) if spec is None else spec
        self._family, self._finder, self._looker = family, finder, looker
        self._turn, self._every, self.on_view = turn, every, on_view
        self._saved = board
        self._palette = palette
        self._follower = Follower(self.spec, seats=seats)
        self._watcher: Watcher | None = None
        self._drift: DriftWatch | None = None
        self._drift_s = -1e9
        self._gate = SteadyGate(frames=_GATE_FRAMES, within_mm=_GATE_MM)
        self._searched_s = -1e9
        self._lost: BoardSeen | None = None
        self._by_hand: Sequence[tuple[float, float]] | None = None
        self._sight = Sight.NO_BOARD
        self._reasons: tuple[str, ...] = ()
        self._bad = 0
        self._view: TableView | None = None
        self.masks: list[Mask] = []

    @property
    def calibrated(self) -> BoardSeen | None:
        """The board, once it is known."""
        return None if self._watcher is None else self._watcher.board

    @property
    def palette(self) -> Palette | None:
        """How this set looks, as far as it has been learned."""
        return self._palette if self._watcher is None else self._watcher.palette

    @property
    def live(self) -> LiveTable:
        """The table as it is now."""
        return LiveTable(
            self._follower.phase,
            self._follower.seat,
            self._sight,
            self._follower.discs,
            None if self._view is None else self._view.covered,
            self.calibrated,
            self._gate.progress,
            self._reasons,
        )

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """With the next frame: find the board anew, or take these corners (NW NE SE SW as they
        lie in the picture); ``turn``: what lies East of the picture's bottom becomes South, so many
        quarters."""
        self._turn, self._by_hand = turn, corners_px
        self._watcher, self._drift, self._lost, self._saved = None, None, None, None
        self._gate = SteadyGate(frames=_GATE_FRAMES, within_mm=_GATE_MM)
        self._searched_s = -1e9

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take one frame; what became certain with it."""
        out: list[TableEvent] = []
        if self._watcher is not None and not self._fits(frame):
            self._lose(frame.t_s, 1e3, out)
        if self._watcher is None:
            self._search(frame, out)
            if self._watcher is None:
                return tuple(out)
        watcher = self._watcher
        view = watcher.view(frame)
        self._see(frame, view, watcher, out)
        self._take(view, out)
        self._check_drift(frame, view, watcher, out)
        return tuple(out)

    def step_view(self, view: TableView) -> tuple[TableEvent, ...]:
        """Take a view from a trace instead of a frame."""
        out: list[TableEvent] = []
        self._take(view, out)
        return tuple(out)

    def finish(self) -> tuple[TableEvent, ...]:
        """At the end of a recording."""
        return self._follower.finish()

    def _take(self, view: TableView, out: list[TableEvent]) -> None:
        self._view = view
        if self.on_view is not None:
            self.on_view(view)
        out.extend(self._follower.step(view))

    def _fits(self, frame: Frame) -> bool:
        assert self._watcher is not None
        camera = self._watcher.board.camera
        return frame.image_bgr.shape[:2] == (camera.height_px, camera.width_px)

    def _search(self, frame: Frame, out: list[TableEvent]) -> None:
        """Look for the board, not in every frame."""
        if frame.damaged or frame.t_s - self._searched_s < _SEARCH_S:
            return
        self._searched_s = frame.t_s
        board = self._given(frame) or self._found(frame)
        if board is None:
            if self._lost is None:
                self._tell(frame.t_s, Sight.NO_BOARD, "; ".join(self._reasons), out)
            return
        again = self._lost is not None
        if self._lost is not None:
            board = nearest_turn(board, self._lost)
        self._watcher = Watcher(
            self._looker, board, self._sized(board), palette=self._palette, every=self._every
        )
        self._watcher.masks = self.masks
        self._drift, self._drift_s = DriftWatch(frame.image_bgr, board), frame.t_s
        self._lost, self._reasons = None, ()
        if again:
            self._follower.clear()
        out.append(Calibrated(t_s=frame.t_s, board=board, again=again))
        self._tell(frame.t_s, Sight.GOOD, "", out)

    def _sized(self, board: BoardSeen) -> BoardSpec:
        side = 2 * board.half_mm
        same = abs(side - self.spec.surface.side_mm.value) < 1e-6
        return self.spec if same else self.spec.changed({"surface.side_mm": side})

    def _given(self, frame: Frame) -> BoardSeen | None:
        """The board of a saved calibration, if it still lies there, or of corners by hand."""
        if self._by_hand is not None:
            try:
                board = calibrate_by_hand(frame.image_bgr, self._by_hand, self._family)
            except CalibrationError as error:
                self._reasons = (str(error),)
                self._by_hand = None
                return None
            self._by_hand = None
            return turned(board, self._turn)
        saved = self._saved
        self._saved = None
        if saved is None or saved.family is not self._family:
            return None
        camera = saved.camera
        if frame.image_bgr.shape[:2] != (camera.height_px, camera.width_px):
            return None
        sure, board = still_there(frame.image_bgr, saved)
        return board if sure >= _SURE_THERE else None

    def _found(self, frame: Frame) -> BoardSeen | None:
        found = self._finder.find(frame.image_bgr)
        self._reasons = found.reasons
        board = found.board
        if board is not None and board.family is not self._family:
            try:
                board = calibrate_by_hand(frame.image_bgr, board.corners_px, self._family)
            except CalibrationError as error:
                self._reasons = (str(error),)
                board = None
        if board is not None and self._lost is None:
            board = turned(board, self._turn)
        return self._gate.offer(board)

    def _see(self, frame: Frame, view: TableView, watcher: Watcher, out: list[TableEvent]) -> None:
        """Say how well the table is seen, when that changes."""
        self._bad = 0 if view.usable else self._bad + 1
        if watcher.dark:
            self._tell(frame.t_s, Sight.DARK, "", out)
        elif frame.frozen:
            self._tell(frame.t_s, Sight.FROZEN, "", out)
        elif frame.damaged and self._bad >= _BAD_FRAMES:
            self._tell(frame.t_s, Sight.DAMAGED, "", out)
        elif view.usable:
            covered = float(view.covered.mean()) > 0.5
            self._tell(frame.t_s, Sight.COVERED if covered else Sight.GOOD, "", out)

    def _check_drift(
        self, frame: Frame, view: TableView, watcher: Watcher, out: list[TableEvent]
    ) -> None:
        """At rest, now and then: does the board still lie where it was calibrated?"""
        drift = self._drift
        rests = frame.t_s - watcher.still_since_s >= _DRIFT_STILL_S
        if drift is None or not view.usable or not rests or view.covered.any():
            return
        if frame.t_s - self._drift_s < _DRIFT_S:
            return
        self._drift_s = frame.t_s
        found = drift.look(frame.image_bgr)
        gone = not found.known and found.seen < _LEAST_LEFT
        if gone or (found.seen >= _LEAST_SEEN and found.corner_mm > _MOVED_MM):
            self._lose(frame.t_s, found.corner_mm, out)

    def _lose(self, t_s: float, corner_mm: float, out: list[TableEvent]) -> None:
        """The board lies elsewhere: look for it again, follow nothing until then."""
        assert self._watcher is not None
        self._lost, self._palette = self._watcher.board, self._watcher.palette
        self._watcher, self._drift = None, None
        self._gate = SteadyGate(frames=_GATE_FRAMES, within_mm=_GATE_MM)
        self._searched_s = -1e9
        out.append(BoardMoved(t_s=t_s, corner_mm=corner_mm))
        self._tell(t_s, Sight.MOVED, "", out)

    def _tell(self, t_s: float, sight: Sight, note: str, out: list[TableEvent]) -> None:
        if sight is not self._sight:
            self._sight = sight
            out.append(SightChanged(t_s=t_s, sight=sight, note=note))
