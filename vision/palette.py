"""How the discs of this set look on this board: learned once, followed slowly, kept as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.codec import Codec
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.seen import DiscSeen

__all__ = ["Look", "Palette"]

_PACE = 0.1
"""Share of a new picture in the palette: a lamp that changes is followed in ten pictures."""
_SURE = 0.9
"""Confidence, and visible share, of discs worth learning from."""
_FIRM = 12.0
"""Discs that are as good as many."""


@dataclass(frozen=True, slots=True)
class Look:
    """One kind: ``features`` as in ``Faces`` (9 numbers), ``radius_mm``, and how many discs, over
    all pictures, say so."""

    features: tuple[float, ...]
    radius_mm: float
    weight: float


@dataclass(frozen=True, slots=True)
class Palette:
    """The looks of a set. Empty at first; ``learned`` and ``followed`` return new ones."""

    family: BoardFamily
    looks: Mapping[PieceKind, Look] = field(default_factory=dict)

    def learned(
        self, kinds: Mapping[int, PieceKind], features: Array, radii_mm: Array
    ) -> "Palette":
        """With the looks of discs whose kind is known, such as those of an opening layout.

        ``kinds``: by row of ``features`` (n, 9) and ``radii_mm`` (n,). Replaces what was known of
        those kinds.
        """
        looks = dict(self.looks)
        for kind in set(kinds.values()):
            rows = [k for k, named in kinds.items() if named is kind]
            middle = np.median(features[rows], axis=0)
            radius = float(np.median(radii_mm[rows]))
            looks[kind] = Look(tuple(map(float, middle)), radius, float(min(len(rows), _FIRM)))
        return replace(self, looks=looks)

    def followed(
        self, kinds: Mapping[int, PieceKind], features: Array, radii_mm: Array
    ) -> "Palette":
        """A little nearer to discs that are sure in a new picture; arguments as in ``learned``."""
        looks = dict(self.looks)
        fresh = Palette(self.family).learned(kinds, features, radii_mm).looks
        for kind, new in fresh.items():
            old = looks.get(kind)
            if old is None:
                looks[kind] = new
                continue
            pace = _PACE * min(1.0, new.weight / 3.0)
            mixed = (1 - pace) * np.array(old.features) + pace * np.array(new.features)
            radius = (1 - pace) * old.radius_mm + pace * new.radius_mm
            weight = min(_FIRM, old.weight + 0.3 * new.weight)
            looks[kind] = Look(tuple(map(float, mixed)), radius, weight)
        return replace(self, looks=looks)

    def followed_by(self, discs: Sequence[DiscSeen], features: Array) -> "Palette":
        """A little nearer to a new picture: to those of its discs that are sure and well seen.

        ``features``: (discs, 9), as in ``DiscsSeen``.
        """
        sure = {
            k: disc.kind
            for k, disc in enumerate(discs)
            if disc.confidence > _SURE and disc.visible > _SURE and disc.refined
        }
        if not sure:
            return self
        radii = np.array([disc.radius_mm for disc in discs])
        return self.followed(sure, features, radii)

    def to_json(self) -> str:
        """One line that ``from_json`` reads back."""
        return Codec().dumps(self)

    @classmethod
    def from_json(cls, text: str) -> "Palette":
        """The palette of ``to_json``. Raises ``SchemaError``."""
        return Codec().loads(cls, text)
