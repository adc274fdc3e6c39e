"""Numbers as a trace holds them: rounded before anything follows them, so that replays are exact.

0.01 mm is a fiftieth of what the eyes can tell.
"""

from __future__ import annotations

from dataclasses import replace

from vision.seen import DiscSeen

__all__ = ["rounded", "rounded_s"]

_PLACE_DIGITS, _SHARE_DIGITS, _TIME_DIGITS = 2, 3, 6


def rounded_s(t_s: float) -> float:
    """Seconds to the microsecond."""
    return round(float(t_s), _TIME_DIGITS)


def rounded(disc: DiscSeen) -> DiscSeen:
    """Places and sizes to 0.01 mm and px, shares and chances to 0.001."""

    def place(value: float) -> float:
        return round(float(value), _PLACE_DIGITS)

    def share(value: float) -> float:
        return round(float(value), _SHARE_DIGITS)

    return replace(
        disc,
        x_mm=place(disc.x_mm),
        y_mm=place(disc.y_mm),
        x_px=place(disc.x_px),
        y_px=place(disc.y_px),
        radius_px=place(disc.radius_px),
        radius_mm=place(disc.radius_mm),
        visible=share(disc.visible),
        confidence=share(disc.confidence),
        odds={kind: share(value) for kind, value in disc.odds.items()},
        refined=bool(disc.refined),
    )
