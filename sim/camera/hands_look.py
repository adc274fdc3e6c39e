"""What a hand looks like: skin, size, sleeve, jewellery; sampled widely."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

__all__ = [
    "Band",
    "Cloth",
    "HandLook",
    "Nails",
    "Pattern",
    "Skin",
    "Sleeve",
    "Watch",
    "sample_look",
]

Bgr = tuple[float, float, float]
"""Display values 0..1 in the order blue, green, red."""


class Pattern(StrEnum):
    """How a cloth is woven or printed."""

    PLAIN = "plain"
    TWILL = "twill"
    STRIPES_ALONG = "stripes_along"
    STRIPES_ACROSS = "stripes_across"
    CHECK = "check"
    KNIT = "knit"
    PRINT = "print"


@dataclass(frozen=True, slots=True)
class Skin:
    """Colours and surface of the skin."""

    base_bgr: Bgr = (0.50, 0.62, 0.80)
    palm_bgr: Bgr = (0.58, 0.68, 0.87)
    flush: float = 0.5
    """Redness of knuckles and tips."""
    mottle: float = 0.5
    knuckle_dark: float = 0.2
    veins: float = 0.3
    tendons: float = 0.4
    wrinkles: float = 0.5
    hair: float = 0.2
    sheen: float = 0.3
    powder: float = 0.0
    """Boric powder on tips and knuckles."""


@dataclass(frozen=True, slots=True)
class Nails:
    """Nails, polished or not."""

    length: float = 0.2
    """Free edge as a part of the tip's radius."""
    polish_bgr: Bgr | None = None


@dataclass(frozen=True, slots=True)
class Cloth:
    """A cloth's colours and weave."""

    pattern: Pattern = Pattern.PLAIN
    base_bgr: Bgr = (0.5, 0.4, 0.3)
    second_bgr: Bgr = (0.9, 0.9, 0.9)
    period_mm: float = 12.0
    folds: float = 0.6


@dataclass(frozen=True, slots=True)
class Sleeve:
    """A sleeve that starts `start_mm` behind the wrist (negative covers the hand's root)."""

    start_mm: float
    cloth: Cloth
    ease_mm: float = 9.0
    """How much wider than the arm."""
    cuff_mm: float = 0.0
    """Length of a sewn cuff or ribbing; 0 for a plain hem."""
    cuff_bgr: Bgr | None = None


@dataclass(frozen=True, slots=True)
class Band:
    """A ring (finger 0..4, on the first phalanx) or a bracelet (finger -1)."""

    finger: int
    at: float
    """Ring: part of the phalanx. Bracelet: millimetres behind the wrist."""
    width_mm: float
    colour_bgr: Bgr
    metal: float = 1.0
    stone_bgr: Bgr | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """A wrist watch on the back of the wrist."""

    strap_bgr: Bgr
    case_bgr: Bgr
    dial_bgr: Bgr
    radius_mm: float = 18.0
    square: bool = False


@dataclass(frozen=True, slots=True)
class HandLook:
    """One person's hand and arm."""

    seed: int = 0
    size: float = 1.0
    """Length factor: 0.62 a child of six, 1.12 a large man."""
    breadth: float = 1.0
    """Thickness factor of fingers and arm."""
    finger_length: float = 1.0
    skin: Skin = field(default_factory=Skin)
    nails: Nails = field(default_factory=Nails)
    sleeve: Sleeve | None = None
    bands: tuple[Band, ...] = ()
    watch: Watch | None = None


# Display colours from very fair to very dark, each with its palm; blends of neighbours are drawn.
_TONES: tuple[tuple[Bgr, Bgr], ...] = (
    ((0.70, 0.77, 0.91), (0.71, 0.76, 0.93)),
    ((0.60, 0.70, 0.87), (0.63, 0.71, 0.90)),
    ((0.48, 0.61, 0.80), (0.56, 0.67, 0.86)),
    ((0.37, 0.50, 0.70), (0.50, 0.62, 0.81)),
    ((0.27, 0.38, 0.57), (0.44, 0.55, 0.74)),
    ((0.20, 0.27, 0.42), (0.40, 0.49, 0.66)),
    ((0.15, 0.19, 0.29), (0.35, 0.42, 0.57)),
)
_METALS: tuple[Bgr, ...] = ((0.35, 0.68, 0.88), (0.80, 0.80, 0.80), (0.45, 0.55, 0.80))
_THREADS: tuple[Bgr, ...] = (
    (0.12, 0.12, 0.75), (0.05, 0.05, 0.06), (0.15, 0.55, 0.85), (0.6, 0.3, 0.1), (0.3, 0.5, 0.2),
    (0.85, 0.88, 0.9),
)  # fmt: skip
_CLOTHS: tuple[Bgr, ...] = (
    (0.90, 0.91, 0.92), (0.10, 0.10, 0.11), (0.38, 0.22, 0.13), (0.62, 0.45, 0.30),
    (0.20, 0.18, 0.62), (0.25, 0.45, 0.25), (0.30, 0.62, 0.85), (0.55, 0.56, 0.58),
    (0.30, 0.40, 0.50), (0.45, 0.35, 0.75), (0.72, 0.80, 0.88), (0.70, 0.62, 0.35),
    (0.16, 0.30, 0.75), (0.45, 0.20, 0.35),
)  # fmt: skip


def sample_look(rng: np.random.Generator) -> HandLook:
    """A person at random: every skin, child to large adult, bare or sleeved, plain or in gold."""
    child = rng.random() < 0.18
    size = float(rng.uniform(0.62, 0.84) if child else np.clip(rng.normal(0.98, 0.06), 0.84, 1.13))
    breadth = float(np.clip(rng.normal(0.97 if child else 1.0, 0.07), 0.84, 1.2))
    grown = 0.3 if child else 1.0
    return HandLook(
        seed=int(rng.integers(1 << 31)),
        size=size,
        breadth=breadth,
        finger_length=float(np.clip(rng.normal(1.0, 0.035), 0.9, 1.1)),
        skin=_sample_skin(rng, grown),
        nails=_sample_nails(rng, grown),
        sleeve=_sample_sleeve(rng),
        bands=_sample_bands(rng, grown),
        watch=_sample_watch(rng) if rng.random() < 0.22 * grown + 0.03 else None,
    )


def _sample_skin(rng: np.random.Generator, grown: float) -> Skin:
    at = rng.uniform(0, len(_TONES) - 1)
    low = min(int(at), len(_TONES) - 2)
    share = at - low
    tint = rng.normal(1.0, 0.05) * rng.normal(1.0, 0.018, 3)
    base, palm = (
        np.clip((1 - share) * np.array(_TONES[low][k]) + share * np.array(_TONES[low + 1][k]), 0, 1)
        for k in (0, 1)
    )
    return Skin(
        base_bgr=_bgr(base * tint),
        palm_bgr=_bgr(palm * tint),
        flush=float(rng.uniform(0.2, 1.0) * (1.0 - 0.1 * at)),
        mottle=float(rng.uniform(0.25, 1.0)),
        knuckle_dark=float(rng.uniform(0.05, 0.25) + 0.06 * min(at, 4)),
        veins=float(rng.beta(1.3, 2.0) * grown),
        tendons=float(rng.uniform(0.15, 1.0) * (0.4 + 0.6 * grown)),
        wrinkles=float(rng.uniform(0.3, 1.0) * (0.5 + 0.5 * grown)),
        hair=float(rng.beta(1.0, 2.0) * grown),
        sheen=float(rng.uniform(0.1, 0.7)),
        powder=float(rng.uniform(0.2, 0.8)) if rng.random() < 0.3 else 0.0,
    )


def _sample_nails(rng: np.random.Generator, grown: float) -> Nails:
    polish = None
    if rng.random() < 0.14 * grown:
        polish = _bgr(rng.uniform([0.05, 0.03, 0.3], [0.6, 0.35, 0.95]))
    length = rng.uniform(0.05, 0.35) + (rng.uniform(0.05, 0.4) if polish else 0.0)
    return Nails(float(length), polish)


def _sample_sleeve(rng: np.random.Generator) -> Sleeve | None:
    kind = rng.random()
    if kind < 0.34:
        return None
    if kind < 0.50:
        start, ease = rng.uniform(235, 340), rng.uniform(8, 18)
    elif kind < 0.62:
        start, ease = rng.uniform(70, 190), rng.uniform(7, 14)
    else:
        start, ease = rng.uniform(-6, 45), rng.uniform(5, 14)
    cuff = float(rng.uniform(22, 60)) if rng.random() < 0.55 and start < 200 else 0.0
    cloth = _sample_cloth(rng)
    other = _colour(rng) if rng.random() < 0.25 else None
    return Sleeve(float(start), cloth, float(ease), cuff, other)


def _sample_cloth(rng: np.random.Generator) -> Cloth:
    pattern = list(Pattern)[int(rng.choice(7, p=[0.34, 0.14, 0.1, 0.12, 0.12, 0.1, 0.08]))]
    period = {
        Pattern.KNIT: rng.uniform(2.5, 5.0),
        Pattern.TWILL: rng.uniform(1.6, 3.0),
        Pattern.PRINT: rng.uniform(18, 40),
    }.get(pattern, rng.uniform(5, 26))
    return Cloth(pattern, _colour(rng), _colour(rng), float(period), float(rng.uniform(0.25, 1.0)))


def _colour(rng: np.random.Generator) -> Bgr:
    base = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))])
    return _bgr(base * rng.uniform(0.8, 1.1) + rng.normal(0, 0.03, 3))


def _sample_bands(rng: np.random.Generator, grown: float) -> tuple[Band, ...]:
    bands: list[Band] = []
    for finger in (3, 2, 1, 4, 0):
        if rng.random() < 0.13 * grown:
            metal = _METALS[int(rng.integers(3))]
            stone = _bgr(rng.uniform(0.05, 0.9, 3)) if rng.random() < 0.35 else None
            width = float(rng.uniform(2.2, 6.0))
            bands.append(Band(finger, float(rng.uniform(0.36, 0.5)), width, metal, 1.0, stone))
    if rng.random() < 0.26:
        metal_band = rng.random() < 0.45
        colours = _METALS if metal_band else _THREADS
        count = int(rng.integers(1, 5)) if metal_band else 1
        at = rng.uniform(8, 30)
        for k in range(count):
            colour = colours[int(rng.integers(len(colours)))]
            width = float(rng.uniform(2.0, 5.0))
            bands.append(Band(-1, float(at + 7 * k), width, colour, float(metal_band)))
    return tuple(bands)


def _sample_watch(rng: np.random.Generator) -> Watch:
    straps: tuple[Bgr, ...] = ((0.06, 0.06, 0.07), (0.15, 0.25, 0.38), (0.72, 0.72, 0.72))
    dials: tuple[Bgr, ...] = ((0.05, 0.05, 0.05), (0.9, 0.9, 0.9), (0.35, 0.15, 0.08))
    cases: tuple[Bgr, ...] = ((0.78, 0.78, 0.78), (0.10, 0.10, 0.10), (0.38, 0.68, 0.85))
    return Watch(
        strap_bgr=straps[int(rng.integers(3))],
        case_bgr=cases[int(rng.integers(3))],
        dial_bgr=dials[int(rng.integers(3))],
        radius_mm=float(rng.uniform(14, 21)),
        square=bool(rng.random() < 0.3),
    )


def _bgr(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Bgr:
    b, g, r = np.clip(values, 0.02, 0.97)
    return float(b), float(g), float(r)
