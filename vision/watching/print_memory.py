"""Marks that look like discs: known once the opening layout lies complete.

The set is all in the layout then, so whatever else looks like a man on the wood is print, a stain
or a reflection, and goes on looking like one. Counts alone do not help: they keep a false man out
only while none of the true ones has left.
"""

from __future__ import annotations

from math import hypot

from carrom.board_spec import BoardSpec
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from vision.discs_seen import DiscsSeen
from vision.opening import opening_of
from vision.seen import Place
from vision.watching.masks import Mask

__all__ = ["false_places"]

_BESIDE_MM = 10.0
"""So far outside the layout nothing of it lies: packs are never quite tight."""
_MASK_MM = 5.0
_SURE_STRIKER = 0.5
_WOOD = (Place.SURFACE, Place.ON_DISC)


def false_places(seen: DiscsSeen, spec: BoardSpec) -> tuple[Mask, ...]:
    """Masks for what is no disc, in a picture whose men lie in the opening layout.

    A striker may lie anywhere and is no false place, unless it is far too small to be one. How far
    the layout reaches is measured: on a board of another size than supposed it is another circle.
    """
    found = opening_of(seen, spec)
    men = [] if found is None else [seen.discs[k] for k in found.kinds]
    reach = max(hypot(d.x_mm, d.y_mm) for d in (*opening_position(spec), *men)) + _BESIDE_MM
    out = []
    for disc in (*seen.discs, *seen.doubtful):
        if disc.place not in _WOOD or hypot(disc.x_mm, disc.y_mm) <= reach:
            continue
        if disc.odds.get(PieceKind.STRIKER, 0.0) < _SURE_STRIKER:
            out.append(Mask(disc.x_mm, disc.y_mm, _MASK_MM))
    return tuple(out)
