"""Who may do what."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Role", "includes"]


class Role(StrEnum):
    """``viewer`` looks on; ``referee`` may do everything; ``camera`` only sends pictures."""

    VIEWER = "viewer"
    REFEREE = "referee"
    CAMERA = "camera"


def includes(held: Role | None, needed: Role) -> bool:
    """Whether somebody with the role ``held`` may do what ``needed`` may."""
    return held is Role.REFEREE or held is needed
