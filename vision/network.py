"""An exported YOLO network run by ONNX Runtime: a picture in, boxes out. No torch anywhere."""

import ast
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from carrom.errors import WeightsError
from vision.arrays import Array
from vision.seen import Box

__all__ = ["LETTERBOX_MARGIN", "Network", "letterbox", "suppress"]

_PAD = (114, 114, 114)
"""The grey that ultralytics pads with."""

LETTERBOX_MARGIN = 0.08

_UNREADABLE = (
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NotImplemented,
)
"""What ONNX Runtime raises for a file it cannot use; they share no base but Exception."""


def letterbox(
    image_bgr: Array, size_px: int, margin: float = LETTERBOX_MARGIN
) -> tuple[Array, float, float, float]:
    """The picture fitted into a square, its scale and the left and top margins (px of the square).

    ``margin``: share of the square left free on every side, so that the box of a corner at the
    edge of the picture, or a little beyond it, is whole. Contract: returns a new array,
    (size, size, 3) uint8.
    """
    height, width = image_bgr.shape[:2]
    scale = size_px * (1.0 - 2.0 * margin) / max(height, width)
    new = (max(1, round(width * scale)), max(1, round(height * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image_bgr, new, interpolation=method)
    left, top = (size_px - new[0]) // 2, (size_px - new[1]) // 2
    out = np.full((size_px, size_px, 3), _PAD[0], dtype=np.uint8)
    out[top : top + new[1], left : left + new[0]] = small
    return out, scale, float(left), float(top)


def suppress(boxes: Array, scores: Array, *, overlap: float) -> Array:
    """Indices of the boxes kept, best first: non-maximum suppression over all classes.

    ``boxes``: (n, 4) float, left top right bottom; ``overlap``: largest intersection over union
    of two that are both kept.
    """
    order = np.argsort(-scores, kind="stable")
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = []
    while len(order):
        best, order = order[0], order[1:]
        kept.append(best)
        low = np.maximum(boxes[best, :2], boxes[order, :2])
        high = np.minimum(boxes[best, 2:], boxes[order, 2:])
        shared = np.prod(np.clip(high - low, 0.0, None), axis=1)
        order = order[shared <= overlap * (area[best] + area[order] - shared)]
    return np.array(kept, dtype=np.int64)


class Network:
    """Weights in memory, ready to look. ``names``: the classes in the order of the outputs.

    Raises ``WeightsError`` for a file that is missing, no ONNX network, or not exported by
    ultralytics (no class names inside).
    """

    def __init__(self, path: Path, *, threads: int = 2) -> None:
        if not path.is_file():
            raise WeightsError(str(path), expected="a network in ONNX format", got="no file")
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session = ort.InferenceSession(
                path.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
        except _UNREADABLE as error:
            expected = "a network in ONNX format"
            raise WeightsError(str(path), expected=expected, got=str(error)[:200]) from error
        self.path = path
        self.names = _names(path, self._session)
        entry = self._session.get_inputs()[0]
        self._input = entry.name
        self.size_px = self._square(entry.shape)

    def _square(self, shape: Sequence[object]) -> int:
        """The side of the picture the network wants."""
        if len(shape) != 4 or shape[1] != 3 or not isinstance(shape[2], int):
            expected = "an input of 3 channels and fixed size (export with dynamic=False)"
            raise WeightsError(str(self.path), expected=expected, got=list(shape))
        if shape[2] != shape[3]:
            raise WeightsError(str(self.path), expected="a square input", got=list(shape))
        return shape[2]

    def outputs(self, square_bgr: Array) -> Array:
        """(4 + classes, n) float32: centre x, centre y, width, height in px, then the scores.

        ``square_bgr``: (size, size, 3) uint8.
        """
        rgb = np.ascontiguousarray(square_bgr[..., ::-1].transpose(2, 0, 1)[None])
        blob = rgb.astype(np.float32) / np.float32(255.0)
        raw: Array = self._session.run(None, {self._input: blob})[0][0]
        if raw.shape[-1] == 6 and raw.shape[0] != 4 + len(self.names):
            return _from_end_to_end(raw, len(self.names))
        return raw

    def look(
        self, square_bgr: Array, *, score: float = 0.25, overlap: float = 0.5
    ) -> tuple[Box, ...]:
        """Boxes in px of the square picture, best first, one a place whatever its class."""
        raw = self.outputs(square_bgr)
        best = raw[4:].max(axis=0)
        raw = raw[:, best >= score]
        if raw.shape[1] == 0:
            return ()
        middle, half = raw[:2].T, raw[2:4].T / 2
        boxes, odds = np.concatenate([middle - half, middle + half], axis=1), raw[4:].T
        kept = suppress(boxes, odds.max(axis=1), overlap=overlap)
        return tuple(self._box(boxes[k], odds[k]) for k in kept)

    def _box(self, corners: Array, odds: Array) -> Box:
        label = self.names[int(odds.argmax())]
        left, top, right, bottom = (float(v) for v in corners)
        scores = {name: float(v) for name, v in zip(self.names, odds, strict=True)}
        return Box(label, left, top, right, bottom, float(odds.max()), scores)


def _names(path: Path, session: "ort.InferenceSession") -> tuple[str, ...]:
    """The class names that ultralytics writes into the file's metadata."""
    text = session.get_modelmeta().custom_metadata_map.get("names", "")
    try:
        names = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        names = None
    if not isinstance(names, dict) or not all(isinstance(k, int) for k in names):
        raise WeightsError(str(path), expected="class names in its metadata", got=text[:200])
    return tuple(str(names[k]) for k in sorted(names))


def _from_end_to_end(rows: Array, classes: int) -> Array:
    """Rows of a network exported with its own suppression, in the layout of the others."""
    out = np.zeros((4 + classes, len(rows)), dtype=np.float32)
    out[0], out[1] = (rows[:, 0] + rows[:, 2]) / 2, (rows[:, 1] + rows[:, 3]) / 2
    out[2], out[3] = rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1]
    out[4 + rows[:, 5].astype(np.int64), np.arange(len(rows))] = rows[:, 4]
    return out
