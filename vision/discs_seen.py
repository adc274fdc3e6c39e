"""All discs of a picture, and what else must be known to judge them."""

from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Array
from vision.covered import Covered
from vision.faces import FEATURES
from vision.seen import DiscSeen

__all__ = ["NO_COLOUR", "TOO_MANY", "DiscsSeen"]

NO_COLOUR = "no colour: queen uncertain"
TOO_MANY = "more discs than a set has"


@dataclass(frozen=True, eq=False)
class DiscsSeen:
    """The discs that are there more likely than not, the surest first, and the ``doubtful`` rest.

    ``covered``: what hands cover. ``features``: (discs, 9) float64, colours as in ``Faces``, in the
    order of ``discs``. ``crop``: (size, size, 3) uint8, what the network saw: a reference for
    ``Detector.look`` while the camera stands still. ``warnings``: sentences for people.
    """

    discs: tuple[DiscSeen, ...]
    doubtful: tuple[DiscSeen, ...]
    covered: Covered
    crop: Array
    features: Array = field(default_factory=lambda: np.zeros((0, FEATURES)))
    warnings: tuple[str, ...] = ()
