"""A table that reports what a test says, whatever it is shown."""

from collections.abc import Mapping, Sequence

import numpy as np

from carrom import events as ev
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import ICF_BOARD
from carrom.doubts import Answer, Doubt, Question
from carrom.evidence import Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from vision.board_camera import BoardCamera
from vision.frames import Frame
from vision.pipeline import LiveTable
from vision.seen import BoardSeen, CornerSeen
from vision.table_events import Calibrated, Phase, Sight, StrokeSeen, TableEvent

SEEN = Evidence(source=Source.OBSERVED, t_start_s=1.0, t_end_s=1.2)
W, B, K = PieceKind.WHITE, PieceKind.BLACK, PieceKind.STRIKER


def outcome(
    seat: Seat, *pocketed: PieceKind, start_s: float = 1.0, doubts: tuple[Doubt, ...] = ()
) -> StrokeOutcome:
    """A stroke that touches a white man and pockets these."""
    falls = [ev.Pocketed(piece=piece, evidence=SEEN) for piece in pocketed]
    position = Position((Disc(W, 10.0, 20.0), Disc(B, -50.0, 60.0)))
    return StrokeOutcome(
        seat=seat, events=(ev.FirstContact(piece=W, evidence=SEEN), *falls), doubts=doubts,
        placement_mm=(0.0, -251.0), before=position, after=position, t_start_s=start_s,
        t_end_s=start_s + 1.0,
    )  # fmt: skip


def stroke(number: int, seat: Seat, *pocketed: PieceKind, **more: object) -> StrokeSeen:
    """The same as an event of the table."""
    start_s = float(number)
    return StrokeSeen(
        t_s=start_s + 1.4,
        number=number,
        outcome=outcome(seat, *pocketed, start_s=start_s, **more),  # type: ignore[arg-type]
        paths_mm=((K, ((start_s, 0.0, -251.0), (start_s + 0.5, 10.0, 0.0))),),
    )


def doubt() -> Doubt:
    """Whether a white man was pocketed."""
    return Doubt(
        id="d1",
        question=Question.WAS_POCKETED,
        answers=(
            Answer(code="yes", likelihood=0.6, events=(ev.Pocketed(piece=W, evidence=SEEN),)),
            Answer(code="no", likelihood=0.4),
        ),
    )


def board_seen(width_px: int = 64, height_px: int = 48) -> BoardSeen:
    """A board of 740 mm that fills most of a small picture, straight from above."""
    focal = 0.8 * height_px / 740.0 * 1500.0
    axes = (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0)
    middle = ((width_px - 1) / 2, (height_px - 1) / 2)
    camera = BoardCamera(width_px, height_px, focal, middle, 0.0, (0.0, 0.0, 1500.0), axes)
    ring = np.array([[-370.0, 370.0], [370.0, 370.0], [370.0, -370.0], [-370.0, -370.0]])
    a, b, c, d = (
        CornerSeen(float(x), float(y), seen=True, confidence=0.9)
        for x, y in camera.board_to_px(ring)
    )
    return BoardSeen(BoardFamily.ICF, camera, 370.0, (a, b, c, d), 0.9, 0.4)


class ScriptedTable:
    """Follows nothing: gives events by the number of the frame."""

    def __init__(
        self, script: Mapping[int, Sequence[TableEvent]], *, board: BoardSeen | None = None
    ) -> None:
        self.script, self.spec = dict(script), ICF_BOARD
        self._board = board
        self.seqs: list[int] = []
        self.finished = 0

    spec: BoardSpec

    @property
    def calibrated(self) -> BoardSeen | None:
        return self._board if self.seqs else None

    @property
    def live(self) -> LiveTable:
        return LiveTable(Phase.WAITING, None, Sight.GOOD, (), None, self._board, 1.0, ())

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        first = not self.seqs
        self.seqs.append(frame.seq)
        found = (Calibrated(t_s=frame.t_s, board=self._board),) if first and self._board else ()
        return (*found, *self.script.get(frame.seq, ()))

    def finish(self) -> tuple[TableEvent, ...]:
        self.finished += 1
        return ()
