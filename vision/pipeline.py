"""Frames in, table events out: finds the board, watches it, follows the game. No threads.

    pipeline = Pipeline(BoardFinder(...), Detector(...), family=BoardFamily.ICF)
    for frame in frames:
        for event in pipeline.step(frame):
            ...

While no board is known nothing is followed and no frame is kept. Of a recording nothing is lost
when a first pipeline looks for the board and a second begins at the first frame with that board; a
live table simply goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import board_for
from carrom.seats import Seat
from vision.arrays import Array
from vision.follower import Follower
from vision.following.rest import RestDisc
from vision.frames import Frame
from vision.palette import Palette
from vision.seen import BoardSeen
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Phase,
    Sight,
    TableEvent,
)
from vision.table_view import TableView
from vision.watching.board_search import BoardSearch, Finder
from vision.watching.board_turn import turned
from vision.watching.masks import Mask
from vision.watching.sight_judge import SightJudge
from vision.watching.watcher import DiscLooker, Watcher

__all__ = ["Finder", "Follows", "LiveTable", "Pipeline"]

_NO_BOARD_S = 1.0
"""A board that cannot be found at once is worth a word only after this."""


class Follows(Protocol):
    """Follows views (``vision.follower.Follower``)."""

    @property
    def phase(self) -> Phase:
        """What the table is busy with."""
        ...

    @property
    def seat(self) -> Seat | None:
        """Whose striker lies there, or who struck."""
        ...

    @property
    def discs(self) -> tuple[RestDisc, ...]:
        """Every disc as it is followed now."""
        ...

    def step(self, view: TableView) -> tuple[TableEvent, ...]:
        """What became certain with this view."""
        ...

    def finish(self) -> tuple[TableEvent, ...]:
        """What the end of the views makes certain."""
        ...


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What a page shows between events. ``discs``: as followed now; ``covered``: (16, 16) bool.

    ``progress``: of the search for the board, 0 to 1; ``reasons``: why there is none yet.
    """

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

    ``board``: a saved calibration; it is taken if the board still lies there. ``seats``: where
    somebody sits. ``turn``: as in ``calibrate``. ``every``: look at the discs in every frame.
    ``on_view``: is given every view before it is followed, to record a trace. ``follower``: in
    place of the standard one.
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
        follower: Follows | None = None,
    ) -> None:
        self.spec = board_for(family) if spec is None else spec
        self.on_view = on_view
        self._family, self._finder, self._looker = family, finder, looker
        self._turn, self._every, self._palette = turn, every, palette
        self._follower = Follower(self.spec, seats=seats) if follower is None else follower
        self._search = BoardSearch(finder, family, turn=turn, known=board)
        self._watcher: Watcher | None = None
        self._judge = SightJudge()
        self._began_s: float | None = None
        self._was_calibrated = False
        self._view: TableView | None = None
        self._masks: list[Mask] = []
        self._quarters = 0

    @property
    def calibrated(self) -> BoardSeen | None:
        """The board, once it is known."""
        return None if self._watcher is None else self._watcher.board

    @property
    def palette(self) -> Palette | None:
        """How this set looks, as far as it has been learned."""
        return self._palette if self._watcher is None else self._watcher.palette

    @property
    def masks(self) -> list[Mask]:
        """Places where discs do not count; change the list, or set another."""
        return self._masks

    @masks.setter
    def masks(self, masks: Sequence[Mask]) -> None:
        self._masks = list(masks)
        if self._watcher is not None:
            self._watcher.masks = self._masks

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the last look had to say, for people."""
        return () if self._watcher is None else self._watcher.warnings

    @property
    def live(self) -> LiveTable:
        """The table as it is now."""
        follower, view = self._follower, self._view
        return LiveTable(
            phase=follower.phase,
            seat=follower.seat,
            sight=self._judge.sight,
            discs=follower.discs,
            covered=None if view is None else view.covered,
            board=self.calibrated,
            progress=1.0 if self._watcher is not None else self._search.progress,
            reasons=() if self._watcher is not None else self._search.reasons,
        )

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """With the next frame: find the board anew, or take these corners, in any order.

        ``turn``: what lies East of the picture's bottom becomes South, so many quarters.
        """
        self._keep_palette()
        self._turn, self._watcher = turn, None
        self._search = BoardSearch(self._finder, self._family, turn=turn, corners_px=corners_px)

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take one frame; what became certain with it. Times must not go back."""
        out: list[TableEvent] = []
        if self._began_s is None:
            self._began_s = frame.t_s
        if self._watcher is not None and not self._fits(frame, self._watcher):
            self._lose(frame.t_s, 0.0, "the picture has another size", out)
        anew = False
        if self._watcher is None:
            anew = self._was_calibrated
            self._watcher = self._calibrated(frame, out)
            if self._watcher is None:
                return tuple(out)
        if self._quarters:
            self._watcher, anew = self._about(self._watcher, frame, out), True
        watcher = self._watcher
        view = watcher.view(frame, anew=anew)
        out += self._judge.step(frame, view, dark=watcher.dark, trusted=watcher.nudge.trusted)
        out += self.step_view(view)
        if watcher.nudge.moved:
            self._lose(frame.t_s, watcher.nudge.corner_mm, "", out)
        return tuple(out)

    def step_view(self, view: TableView) -> tuple[TableEvent, ...]:
        """Follow a view, of a trace perhaps."""
        self._view = view
        if self.on_view is not None:
            self.on_view(view)
        return self._follower.step(view)

    def turn_by(self, quarters: int) -> None:
        """With the next frame: what lies East becomes South, so many times; nothing is searched
        for. Masks turn with the board."""
        if self._watcher is not None and quarters % 4:
            self._quarters = quarters % 4
            for _ in range(self._quarters):
                self.masks = [Mask(m.y_mm, -m.x_mm, m.radius_mm) for m in self._masks]

    def finish(self) -> tuple[TableEvent, ...]:
        """At the end of a recording: what its end makes certain."""
        return self._follower.finish()

    @staticmethod
    def _fits(frame: Frame, watcher: Watcher) -> bool:
        camera = watcher.board.camera
        return frame.image_bgr.shape[:2] == (camera.height_px, camera.width_px)

    def _calibrated(self, frame: Frame, out: list[TableEvent]) -> Watcher | None:
        """A watcher of the board, if it is found in this frame."""
        board = self._search.step(frame)
        if board is None:
            assert self._began_s is not None
            if self._judge.sight is Sight.NO_BOARD and frame.t_s - self._began_s >= _NO_BOARD_S:
                out += self._judge.note(frame.t_s, "; ".join(self._search.reasons))
            return None
        watcher = Watcher(
            self._looker,
            board,
            self._sized(board),
            frame.image_bgr,
            palette=self._palette,
            every=self._every,
        )
        watcher.masks = self._masks
        out.append(Calibrated(t_s=frame.t_s, board=board, again=self._was_calibrated))
        self._was_calibrated = True
        return watcher

    def _about(self, watcher: Watcher, frame: Frame, out: list[TableEvent]) -> Watcher:
        """The same board with another South."""
        quarters, self._quarters = self._quarters, 0
        self._turn = (self._turn + quarters) % 4
        board = turned(watcher.board, quarters)
        other = Watcher(
            self._looker,
            board,
            watcher.spec,
            frame.image_bgr,
            palette=watcher.palette,
            every=self._every,
        )
        other.masks = self._masks
        out.append(Calibrated(t_s=frame.t_s, board=board, again=True))
        return other

    def _sized(self, board: BoardSeen) -> BoardSpec:
        side = 2 * board.half_mm
        same = abs(side - self.spec.surface.side_mm.value) < 1e-6
        return self.spec if same else self.spec.changed({"surface.side_mm": side})

    def _lose(self, t_s: float, corner_mm: float, note: str, out: list[TableEvent]) -> None:
        """The board lies elsewhere: look for it again, follow nothing until then."""
        assert self._watcher is not None
        known = self._watcher.board
        self._keep_palette()
        self._watcher = None
        self._search = BoardSearch(self._finder, self._family, turn=self._turn, known=known)
        out.append(BoardMoved(t_s=t_s, corner_mm=corner_mm))
        out += self._judge.tell(t_s, Sight.MOVED, note)

    def _keep_palette(self) -> None:
        if self._watcher is not None:
            self._palette = self._watcher.palette
