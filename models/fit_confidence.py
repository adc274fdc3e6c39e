"""The logistic table of ``vision/confidence.py``, fitted to renders, and its reliability.

    python models/fit_confidence.py models/discs.onnx [--pictures 300] [--judges 200]

Renders building seeds (6 000 000 and on), runs the whole chain with the board as it truly is, and
fits the weights; then prints the reliability on judge seeds (6 900 000 and on). Write the weights
into the module by hand: they belong to the network, like its card. About 0.6 s a picture.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from datasets.training_set import camera_of
from sim.camera import Picture, Scene, render, sample_scene
from sim.camera.arrays import Array
from vision.candidates import candidates_of
from vision.confidence import EVIDENCE
from vision.covered import covered_by_hands
from vision.detector import Detector, spec_of
from vision.measured import Measured, measure
from vision.network import Network
from vision.seen import BoardSeen, CornerSeen

BUILD, JUDGE = 6_000_000, 6_900_000
_RIDGE = 1.0
_LEAST_VISIBLE = 0.05
_EDGES = (0.0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 0.998, 1.001)


def main() -> None:
    """Fit and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--judges", type=int, default=200)
    given = parser.parse_args()
    network = Network(given.network, threads=1)
    evidence, truth = evidence_of(network, range(BUILD, BUILD + given.pictures))
    weights = fitted(evidence, truth)
    for name, weight in zip(("bias", *EVIDENCE), weights, strict=True):
        sys.stdout.write(f'    "{name}": {weight:.3f},\n')
    evidence, truth = evidence_of(network, range(JUDGE, JUDGE + given.judges))
    sys.stdout.write(reliability(evidence, truth, weights))


def evidence_of(network: Network, seeds: Sequence[int]) -> tuple[Array, Array]:
    """(n, evidence) and (n,) 1.0 where a disc lies, of all candidates of the pictures."""
    rows, truth = [], []
    for seed in seeds:
        scene = sample_scene(seed)
        picture = render(scene)
        found = _measured(network, scene, picture)
        rows.append(np.stack([found.evidence[name] for name in EVIDENCE], axis=-1))
        truth.append(_true(scene, picture, found.seen))
    return np.concatenate(rows), np.concatenate(truth)


def _measured(network: Network, scene: Scene, picture: Picture) -> Measured:
    corners = tuple(
        CornerSeen(x, y, seen=True, confidence=1.0) for x, y in picture.truth.corners_px
    )
    board = BoardSeen(
        scene.board.family,
        camera_of(scene.camera),
        scene.board.half_mm,
        corners,  # type: ignore[arg-type]
        1.0,
        0.2,
    )
    crop, square = Detector(network).crop_of(picture.image_bgr, board)
    boxes = network.look(square, score=0.12, overlap=0.8)
    candidates, covered = candidates_of(boxes, crop), covered_by_hands(boxes, crop)
    return measure(picture.image_bgr, board, spec_of(board), candidates, covered, square)


def _true(scene: Scene, picture: Picture, seen: Array) -> Array:
    """(n,) 1.0 for the nearest candidate of each disc."""
    out = np.zeros(len(seen))
    camera = camera_of(scene.camera)
    for disc in picture.truth.discs:
        if disc.visible < _LEAST_VISIBLE or len(seen) == 0:
            continue
        at = camera.px_to_board(np.array(disc.centre_px))
        apart = np.hypot(*(seen[:, :2] - at).T)
        nearest = int(apart.argmin())
        if apart[nearest] < 0.6 * seen[nearest, 2]:
            out[nearest] = 1.0
    return out


def fitted(evidence: Array, truth: Array) -> Array:
    """(1 + evidence,) bias and weights of a ridge logistic regression (Newton)."""
    middle, spread = evidence.mean(axis=0), evidence.std(axis=0) + 1e-6
    design = np.concatenate([np.ones((len(truth), 1)), (evidence - middle) / spread], axis=1)
    ridge = _RIDGE * np.ones(design.shape[1])
    ridge[0] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-design @ weights))
        slope = design.T @ (chance - truth) + ridge * weights
        bend = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(ridge)
        weights = weights - np.linalg.solve(bend, slope)
    out = weights[1:] / spread
    return np.concatenate([[weights[0] - (out * middle).sum()], out])


def reliability(evidence: Array, truth: Array, weights: Array) -> str:
    """A table: what was said, what was true."""
    chance = 1.0 / (1.0 + np.exp(-np.clip(weights[0] + evidence @ weights[1:], -30, 30)))
    lines = ["said        n   mean   true"]
    for low, high in pairwise(_EDGES):
        rows = (chance >= low) & (chance < high)
        if rows.any():
            means = f"{chance[rows].mean():.3f}  {truth[rows].mean():.3f}"
            lines.append(f"{low:5.3f}  {int(rows.sum()):6d}  {means}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
