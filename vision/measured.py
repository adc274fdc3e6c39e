"""Candidates measured on the full picture: where they lie, how they look, how likely they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.candidates import Candidate
from vision.confidence import presence
from vision.covered import Covered
from vision.disc_edges import Discs3d, Rims, fit_rims
from vision.faces import Faces, Wood, faces_of, wood_of
from vision.kinds import kinds_of, network_odds
from vision.places import pocketed, stacks, stand_of
from vision.printed import twins_of
from vision.seen import BoardSeen, Place

__all__ = ["Measured", "measure"]

_BOX_SPREAD, _SET_SPREAD = 0.06, 0.03
"""How far the radius of one box is off, and that of a man from the median of the set (shares)."""
_ALIKE = 0.15
"""A man whose box is farther from that median (share) has a radius of its own."""
_SUPPORT, _MOVED = 0.38, 0.45
"""A fit with less of the rim, or that moved farther (radii), is no better than the box."""
_LEAST_MEN, _SMALL, _SMALL_CHANCE = 4, 0.87, 0.2
_REAL = 0.5
"""Chance from which a candidate can carry another disc."""


@dataclass(frozen=True, eq=False)
class Measured:
    """Candidates, one row each.

    ``seen``: (n, 3) mm, circles as seen on the plane of the surface; ``discs``: as bodies, fitted
    where ``refined``; ``word``: (n, kinds) the network's odds; ``evidence``: (n,) of each of
    ``confidence.EVIDENCE``; ``chance``: (n,) that there is a disc; ``visible``: (n,) share of the
    face.
    """

    seen: Array
    discs: Discs3d
    places: tuple[Place, ...]
    refined: Array
    faces: Faces
    wood: Wood
    word: Array
    evidence: Mapping[str, Array]
    chance: Array
    visible: Array

    def __len__(self) -> int:
        return len(self.places)


def measure(
    image_bgr: Array,
    board: BoardSeen,
    spec: BoardSpec,
    candidates: Sequence[Candidate],
    covered: Covered,
    picture: Array,
) -> Measured:
    """Fit, place, look and judge. ``picture``: the crop, of which ``covered`` is a map."""
    crop, camera = covered.crop, board.camera
    seen = np.array([[c.x_mm, c.y_mm, c.radius_mm] for c in candidates]).reshape(-1, 3)
    scores = np.array([c.score for c in candidates])
    word = np.array([network_odds(board.family, c.odds) for c in candidates])
    word = word.reshape(-1, len(kinds_of(board.family)))
    start, stands = _standing(board, spec, seen, word)
    rims = fit_rims(image_bgr, camera, start)
    refined = (rims.support >= _SUPPORT) & (rims.moved <= _MOVED * start.radius)
    discs = replace(
        start,
        x=np.where(refined, rims.x, start.x),
        y=np.where(refined, rims.y, start.y),
        radius=np.where(refined, rims.radius, start.radius),
    )
    wood = wood_of(picture, crop, seen, board.half_mm)
    faces = faces_of(image_bgr, camera, discs, wood)
    places = _pocketed(spec, rims, stands)
    share = covered.of(seen)
    evidence = _evidence(scores, rims, start, discs, places, share)
    evidence["twins"] = twins_of(picture, crop, seen, board.family)
    chance = presence(evidence) * _of_a_size(discs, places)
    places, discs = _stacked(camera, rims, discs, places, real=chance >= _REAL)
    visible = _unhidden(camera, discs, places) * (1.0 - 0.8 * share)
    return Measured(seen, discs, places, refined, faces, wood, word, evidence, chance, visible)


def _of_a_size(discs: Discs3d, places: Sequence[Place]) -> Array:
    """(n,) 1 for what can be a disc; less for small circles beside the wood: screws, caps, badges.

    On the wood nothing is ruled out by its size: sets differ, and a hand leaves parts of a rim.
    """
    wood = np.array([place not in (Place.FRAME, Place.OFF_BOARD) for place in places], dtype=bool)
    if wood.sum() < _LEAST_MEN:
        return np.ones(len(places))
    middle = float(np.median(discs.radius[wood]))
    small = ~wood & (discs.radius < _SMALL * middle)
    out: Array = np.where(small, _SMALL_CHANCE, 1.0)
    return out


def _standing(
    board: BoardSeen, spec: BoardSpec, seen: Array, word: Array
) -> tuple[Discs3d, list[Place]]:
    """Candidates as bodies on the planes they seem to lie on."""
    kinds, camera = kinds_of(board.family), board.camera
    own = word.argmax(axis=1)
    thick = np.array([spec.disc(kinds[k]).thickness_mm.value for k in own])
    stands = [
        stand_of(spec, camera, seen_mm=(x, y), radius_mm=radius, thickness_mm=float(t))
        for (x, y, radius), t in zip(seen.tolist(), thick, strict=True)
    ]
    base = np.array([stand.base_mm for stand in stands])
    eye = np.array(camera.position_mm)
    share = (eye[2] - base - thick) / eye[2]
    foot = eye[:2] + (seen[:, :2] - eye[:2]) * share[:, None]
    radius = np.maximum(seen[:, 2] * share, 1.0)
    men = np.isin(own, [k for k, kind in enumerate(kinds) if kind not in _OWN_SIZE])
    group = np.where(men & (word.max(axis=1, initial=0.0) >= 0.4), 0, -1)
    discs = Discs3d(foot[:, 0], foot[:, 1], radius, base + thick, base, _BOX_SPREAD * radius, group)
    return _with_set_radius(discs), [stand.place for stand in stands]


_OWN_SIZE = (PieceKind.STRIKER, PieceKind.JACK)


def _with_set_radius(discs: Discs3d) -> Discs3d:
    """Men begin with the median of the radii of their boxes."""
    men = discs.group == 0
    if men.sum() < 3:
        return discs
    middle = float(np.median(discs.radius[men]))
    near = men & (np.abs(discs.radius - middle) < _ALIKE * middle)
    radius = np.where(near, middle, discs.radius)
    slack = np.where(near, _SET_SPREAD * middle, discs.slack)
    return replace(discs, radius=radius, slack=slack, group=np.where(near, 0, -1))


def _pocketed(spec: BoardSpec, rims: Rims, stands: Sequence[Place]) -> tuple[Place, ...]:
    """Near pockets only the fit tells what hangs over the lip from what lies in the net."""
    near = (Place.HANGING, Place.POCKET)
    sunk = pocketed(spec, rims)
    return tuple(
        (Place.POCKET if sunk[k] else Place.HANGING) if place in near else place
        for k, place in enumerate(stands)
    )


def _stacked(
    camera: BoardCamera, rims: Rims, discs: Discs3d, stands: Sequence[Place], *, real: Array
) -> tuple[tuple[Place, ...], Discs3d]:
    """Discs on others are raised; what may be no disc carries nothing."""
    places = list(stands)
    under = stacks(rims)
    lift = np.zeros(len(discs))
    for k in np.flatnonzero(real & (under >= 0)):
        if places[k] is Place.SURFACE and real[under[k]]:
            places[k] = Place.ON_DISC
            lift[k] = discs.top[under[k]] - discs.base[under[k]]
    eye = np.array(camera.position_mm)
    share = (eye[2] - discs.top - lift) / (eye[2] - discs.top)
    raised = replace(
        discs,
        x=eye[0] + (discs.x - eye[0]) * share,
        y=eye[1] + (discs.y - eye[1]) * share,
        radius=discs.radius * share,
        top=discs.top + lift,
        base=discs.base + lift,
    )
    return tuple(places), raised


def _evidence(
    scores: Array,
    rims: Rims,
    start: Discs3d,
    discs: Discs3d,
    places: Sequence[Place],
    covered: Array,
) -> dict[str, Array]:
    """What speaks for and against each disc."""
    score = np.clip(scores, 1e-3, 1 - 1e-3)
    apart = np.hypot(discs.x[:, None] - discs.x, discs.y[:, None] - discs.y)
    deep = np.clip(1.0 - apart / (discs.radius[:, None] + discs.radius), 0.0, 1.0)
    better = scores[None, :] > scores[:, None]
    men = start.group == 0
    joint = float(np.median(rims.radius[men])) if men.sum() >= 3 else 0.0
    due = np.where(men & (joint > 0), joint, start.radius)
    return {
        "score": np.log(score / (1 - score)),
        "support": rims.support,
        "contrast": np.log1p(rims.contrast),
        "radius_off": np.abs(rims.radius - due) / start.radius,
        "overlap": np.where(better, deep, 0.0).max(axis=1, initial=0.0),
        "pocket": np.array([p is Place.POCKET for p in places], dtype=float),
        "frame": np.array([p is Place.FRAME for p in places], dtype=float),
        "off_board": np.array([p is Place.OFF_BOARD for p in places], dtype=float),
        "covered": covered,
        "moved": rims.moved / start.radius,
    }


def _unhidden(camera: BoardCamera, discs: Discs3d, places: Sequence[Place]) -> Array:
    """(n,) share of each face inside the picture and under no stacked disc."""
    turn = np.arange(16) * (np.pi / 8)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    spots = np.concatenate([ring * 0.92, ring[::2] * 0.6, ring[::4] * 0.25])
    at = np.stack([discs.x, discs.y], axis=-1)
    points = at[:, None] + spots * discs.radius[:, None, None]
    high = np.broadcast_to(discs.top[:, None, None], (*points.shape[:2], 1))
    px = camera.mm_to_px(np.concatenate([points, high], axis=-1))
    size = np.array([camera.width_px, camera.height_px])
    free = ((px >= -0.5) & (px <= size - 0.5)).all(axis=-1)
    for k, place in enumerate(places):
        if place is Place.ON_DISC:
            hidden = np.hypot(*(points - at[k]).transpose(2, 0, 1)) < discs.radius[k]
            hidden[k] = False
            free &= ~hidden
    out: Array = free.mean(axis=1)
    return out
