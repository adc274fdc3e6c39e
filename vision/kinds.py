"""Which disc is what: the network's word, this set's colours, sizes, and how many there can be.

The network errs alike on all discs of a set (brown "white" men, dark queens), so its word on one
disc counts little and its word on all discs of a colour much. Each kind has one colour in a set:
the colours are found together with the kinds (expectation and maximisation, maximum a posteriori),
from several starts, of which the likeliest end wins. Then no kind may have more discs than the set.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.pieces import Counts, PieceKind
from vision.arrays import Array
from vision.faces import FEATURES, RINGS
from vision.palette import Palette

__all__ = ["KindEvidence", "kind_odds", "kinds_of", "legal_counts", "named", "network_odds"]

_FLOOR = 0.03
"""How often the network is wrong about a kind without knowing it."""
_SPREAD = np.tile([9.0, 6.0, 7.0], len(RINGS)) * 1.3
"""Standard deviation of the discs of one kind: wood, wear, light; rings of a disc err together."""
_ROUNDS = 12
_TOGETHER, _TOGETHER_KNOWN = 3.0, 2.0
"""Nine numbers of one disc err together: they count as three; as half as many where this set's
colours are known."""
_FARTHEST = 60.0
"""Colours can be no worse than this (log likelihood): an odd disc stays possible."""
_CROWDING = 2.0
"""How hard it is to believe in more discs of a kind than a set has, per e-fold."""
_LABELS = {
    BoardFamily.ICF: {
        PieceKind.WHITE: "white",
        PieceKind.BLACK: "black",
        PieceKind.QUEEN: "red",
        PieceKind.STRIKER: "striker",
    },
    BoardFamily.HIKONE: {
        PieceKind.RED: "red",
        PieceKind.GREEN: "green",
        PieceKind.JACK: "jack",
        PieceKind.STRIKER: "striker",
    },
}
_PRIORS = {
    PieceKind.WHITE: ((74, 6, 20), (18, 8, 14)),
    PieceKind.BLACK: ((24, 1, 0), (13, 6, 9)),
    PieceKind.QUEEN: ((42, 40, 12), (17, 20, 18)),
    PieceKind.RED: ((46, 44, 24), (14, 16, 16)),
    PieceKind.GREEN: ((45, -26, 14), (14, 14, 14)),
    PieceKind.JACK: ((55, 10, 12), (25, 25, 18)),
    PieceKind.STRIKER: ((65, 3, 12), (28, 24, 24)),
}
"""Colour of a kind over all sets: middle and standard deviation of L, a, b on pale wood."""


@dataclass(frozen=True, eq=False)
class KindEvidence:
    """What is known of n discs. ``network``: (n, kinds) odds; ``features``: (n, 9) as in ``Faces``;
    ``radii_mm``: (n,); ``weight``: (n,) 0 to 1, how far each is a disc that is well seen;
    ``grey``: the picture has no colour."""

    network: Array
    features: Array
    radii_mm: Array
    weight: Array
    grey: bool = False


def kinds_of(family: BoardFamily) -> tuple[PieceKind, ...]:
    """The kinds of a game, in the order of the columns of all odds here."""
    return tuple(_LABELS[family])


def named(family: BoardFamily, kind: PieceKind) -> str:
    """The network's class of a kind."""
    return _LABELS[family][kind]


def legal_counts(family: BoardFamily) -> Counts:
    """How many discs of each kind can lie on a table: the set, and one striker or (Hikone) two."""
    strikers = 1 if family is BoardFamily.ICF else 2
    return {**family.pieces, PieceKind.STRIKER: strikers}


def network_odds(family: BoardFamily, odds: Mapping[str, float]) -> Array:
    """(kinds,) the network's scores as chances, classes of the other game left out."""
    raw = np.array([max(0.0, odds.get(name, 0.0)) for name in _LABELS[family].values()])
    lost = max(0.0, sum(odds.values()) - float(raw.sum()))
    # What went to kinds of the other game says nothing here: it is shared out evenly.
    raw = raw + (lost + 1e-3) / len(raw)
    out: Array = raw / raw.sum()
    return out


def kind_odds(
    family: BoardFamily,
    evidence: KindEvidence,
    palette: Palette | None = None,
) -> Array:
    """(n, kinds) float64: the chance of every kind for every disc; rows sum to 1.

    ``palette``: what is known of this set.
    """
    if len(evidence.radii_mm) == 0:
        return np.zeros((0, len(kinds_of(family))))
    known = _Known.of(family, palette, grey=evidence.grey)
    network = _uncrowded(family, evidence)
    word = np.log(network * (1 - _FLOOR) + _FLOOR / network.shape[1])
    word = word + _size_word(family, replace(evidence, network=network), palette)
    starts = _starts(family, word, evidence)
    if palette is not None and all(kind in palette.looks for kind in kinds_of(family)[:2]):
        starts = starts[:1]  # whose colours are known need not be guessed at
    ends = [_settle(word, evidence, known, start) for start in starts]
    logs = max(ends, key=lambda end: end[0])[1]
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    out: Array = odds / odds.sum(axis=1, keepdims=True)
    return out


@dataclass(frozen=True, eq=False)
class _Known:
    """Colours before looking: middle and precision, (kinds, 9) each; ``noise``: (9,);
    ``count``: (kinds,) of a set; ``together``: by how much all colours count less."""

    middle: Array
    firm: Array
    noise: Array
    count: Array
    together: float

    @classmethod
    def of(cls, family: BoardFamily, palette: Palette | None, *, grey: bool) -> "_Known":
        middles, firms = [], []
        noise = _SPREAD.copy()
        for kind in kinds_of(family):
            middle, spread = (np.tile(v, len(RINGS)).astype(float) for v in _PRIORS[kind])
            firm = 1.0 / spread**2
            look = None if palette is None else palette.looks.get(kind)
            if look is not None:
                # A palette may be off by a change of lamp, never by a whole colour.
                middle = np.array(look.features)
                firm = 1.0 / (7.0**2 + _SPREAD**2 / max(look.weight, 0.5))
            middles.append(middle)
            firms.append(firm)
        if grey:
            colour = np.arange(FEATURES) % 3 > 0
            noise[colour] = 1e3
        count = np.array([legal_counts(family)[kind] for kind in kinds_of(family)], dtype=float)
        learned = palette is not None and bool(palette.looks)
        together = _TOGETHER_KNOWN if learned else _TOGETHER
        return cls(np.array(middles), np.array(firms), noise, count, together)


def _uncrowded(family: BoardFamily, evidence: KindEvidence) -> Array:
    """(n, kinds) the network's odds, without its faith in more discs of a kind than there can be.

    On a small board it takes every man for a striker.
    """
    count = np.array([legal_counts(family)[kind] for kind in kinds_of(family)], dtype=float)
    crowd = (evidence.network * evidence.weight[:, None]).sum(axis=0)
    odds = evidence.network * np.minimum(1.0, count / np.maximum(crowd, 1e-9)) ** _CROWDING + 1e-4
    out: Array = odds / odds.sum(axis=1, keepdims=True)
    return out


def _size_word(family: BoardFamily, evidence: KindEvidence, palette: Palette | None) -> Array:
    """(n, kinds) log likelihood of the radii: men of a set are alike, strikers are of their own.

    The radius of the men is what explains all radii best, near that of the standard.
    """
    kinds = kinds_of(family)
    middle, spread = (np.array(v) for v in zip(*(_RATIOS[family][k] for k in kinds), strict=True))
    for k, kind in enumerate(kinds):
        look = None if palette is None else palette.looks.get(kind)
        men = None if palette is None else palette.looks.get(kinds[0])
        if look is not None and men is not None and kind in (PieceKind.STRIKER, PieceKind.JACK):
            middle[k], spread[k] = look.radius_mm / men.radius_mm, 0.05
    sizes = _MAN_MM[family] * np.exp(np.linspace(-_SIZE_RANGE, _SIZE_RANGE, 61))
    off = (evidence.radii_mm[None, :, None] / sizes[:, None, None] - middle) / spread
    words = np.maximum(-0.5 * off**2, _LEAST_WORD) - np.log(spread / 0.05)
    each = np.log(np.einsum("sik,ik->si", np.exp(words), evidence.network))
    total = each @ evidence.weight - 0.5 * (np.log(sizes / _MAN_MM[family]) / 0.08) ** 2
    out: Array = words[int(total.argmax())] * evidence.weight[:, None]
    return out


_RATIOS = {
    BoardFamily.ICF: {
        PieceKind.WHITE: (1.0, 0.05),
        PieceKind.BLACK: (1.0, 0.05),
        PieceKind.QUEEN: (1.0, 0.05),
        PieceKind.STRIKER: (1.36, 0.14),
    },
    BoardFamily.HIKONE: {
        PieceKind.RED: (1.0, 0.05),
        PieceKind.GREEN: (1.0, 0.05),
        PieceKind.JACK: (1.13, 0.05),
        PieceKind.STRIKER: (1.02, 0.05),
    },
}
"""Radius over that of the men, and standard deviation (carrom.boards; homes have larger ones)."""
_MAN_MM = {BoardFamily.ICF: 15.5, BoardFamily.HIKONE: 15.0}
_SIZE_RANGE, _LEAST_WORD = 0.3, -6.0
"""Men are within 30 % of the standard (boards are not all as large as supposed), and a radius alone
never speaks louder than this (log likelihood)."""


def _starts(family: BoardFamily, word: Array, evidence: KindEvidence) -> list[Array]:
    """Ways to begin, (n, kinds) shares: the network's, and the men split by lightness."""
    shares = np.exp(word - word.max(axis=1, keepdims=True))
    shares = shares / shares.sum(axis=1, keepdims=True)
    out = [shares]
    if family is BoardFamily.ICF and len(shares) >= 2:
        light = evidence.features[:, 0::3].mean(axis=1)
        men = shares[:, :2].sum(axis=1)
        order = np.sort(light)
        gaps = np.diff(order)
        cut = order[int(gaps.argmax())] + gaps.max() / 2
        split = shares.copy()
        split[:, 0], split[:, 1] = men * (light > cut), men * (light <= cut)
        out.append(split)
        for side in (0, 1):
            alike = shares.copy()
            alike[:, side], alike[:, 1 - side] = men, 0.0
            out.append(alike)
        # A network may call all brown men queens.
        brown = shares.copy()
        brown[:, 0], brown[:, 2] = shares[:, 0] + shares[:, 2], 0.0
        out.append(brown)
    return out


def _settle(
    word: Array, evidence: KindEvidence, known: _Known, start: Array
) -> tuple[float, Array]:
    """Objective and (n, kinds) log chances where colours and kinds agree.

    Each disc is judged by the colours that the *other* discs give to a kind, or the first guess
    would confirm itself.
    """
    sure = 1.0 / known.noise**2
    shares, logs = start, word
    for _ in range(_ROUNDS):
        own = (shares * evidence.weight[:, None])[..., None] * sure
        own_pull = own * evidence.features[:, None, :]
        firm = known.firm + own.sum(axis=0) - own
        pull = known.firm * known.middle + own_pull.sum(axis=0) - own_pull
        spread = known.noise**2 + 1.0 / firm
        far = (evidence.features[:, None, :] - pull / firm) ** 2 / spread + np.log(spread)
        logs = word - np.minimum(0.5 * far.sum(axis=-1) / known.together, _FARTHEST)
        crowd = np.maximum((shares * evidence.weight[:, None]).sum(axis=0) / known.count, 1.0)
        logs = logs - _CROWDING * np.log(crowd)
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares = shares / shares.sum(axis=1, keepdims=True)
    top = logs.max(axis=1)
    fit = evidence.weight @ (top + np.log(np.exp(logs - top[:, None]).sum(axis=1)))
    return float(fit), logs
