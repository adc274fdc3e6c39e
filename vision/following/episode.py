"""One stretch of motion: from the last rest before a stroke to the next rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

from carrom.pieces import PieceKind
from carrom.seats import Seat
from vision.following.rest import RestDisc
from vision.following.track import Fix, Track
from vision.seen import Place

__all__ = ["Episode", "Motion"]


@dataclass(slots=True)
class Motion:
    """How a disc of the rest before left its place. ``handled``: a hand was beside it when it did,
    and no disc was."""

    disc: RestDisc
    from_s: float
    handled: bool
    fixes: list[Fix] = field(default_factory=list)


@dataclass(slots=True)
class Episode:
    """``t0_s``: the striker was last seen still; ``before``: the rest before, without it."""

    t0_s: float
    seat: Seat
    placement_mm: tuple[float, float]
    placed_track: int
    before: tuple[RestDisc, ...]
    number: int
    striker: int = 0
    """The track that looks like the striker now; tracks may swap in a crowd."""
    striker_path: list[Fix] = field(default_factory=list)
    striker_rested_s: float | None = None
    striker_taken_s: float | None = None
    """When a hand took the striker; before it lay still, if ``striker_rested_s`` is ``None``."""
    stopped_mm_s: float = 0.0
    """The speed at which a hand beside the striker made it lie, as far as friction cannot."""
    striker_met_s: float | None = None
    """Since when a hand has been beside a striker that had not come to rest."""
    striker_free_looks: int = 0
    """Looks since then in which it was free of hands, on the board."""
    striker_place: tuple[float, float] | None = None
    motions: dict[int, Motion] = field(default_factory=dict)
    still_from_s: float | None = None
    """Since when nothing has moved."""
    free_s: float = 0.0
    """How long, with a free view, only discs that cannot be found have kept it from ending."""
    last_s: float = 0.0
    settled_s: float | None = None
    """When all lay still for the first time; what appears after that, a hand has put there."""
    sunk: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Tracks that lay in a net then, and where: only a hand brings them back."""
    hands_off: bool = False
    """The board has been seen free of hands since."""
    on_lip_s: float = -1e9
    """When a man that this stroke moved was last seen to hang over a lip."""
    stacked: tuple[RestDisc, bool] | None = None
    """A man at rest on the striker (True), or under it (False)."""
    stacked_s: float = -1e9
    """When that was last seen."""
    gaps: int = 0
    """Views that could not be used."""

    @property
    def all_before(self) -> tuple[RestDisc, ...]:
        """The rest before with the striker where it was placed."""
        x, y = self.placement_mm
        striker = RestDisc(PieceKind.STRIKER, x, y, Place.SURFACE, self.placed_track)
        return (*self.before, striker)

    def follow(self, track: Track, disc: RestDisc, *, hand_near: bool, disc_near: bool) -> None:
        """Note a disc that may have left its place."""
        fix = track.last
        motion = self.motions.get(disc.track)
        off = hypot(fix.x_mm - disc.x_mm, fix.y_mm - disc.y_mm)
        if motion is None:
            if off < 4.0:
                return
            motion = Motion(disc, fix.t_s, handled=hand_near and not disc_near)
            self.motions[disc.track] = motion
        if not motion.fixes or motion.fixes[-1].t_s < fix.t_s:
            motion.fixes.append(fix)
