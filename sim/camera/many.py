"""Many stills, on one core or on an executor's workers."""

import ctypes
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial

import cv2

from carrom.board_spec import BoardFamily
from carrom.errors import SceneError
from sim.camera.render import Picture, render
from sim.camera.sampling import sample_scene

__all__ = ["prepare_worker", "render_many", "render_seed"]


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEEP_BYTES = 1 << 30


def prepare_worker() -> None:
    """Make this process quick at rendering: an executor's ``initializer``.

    OpenCV keeps to one thread, and glibc keeps freed pictures instead of handing their pages back
    (an eighth of the time of a still goes into fetching them again).
    """
    cv2.setNumThreads(1)
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEEP_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _KEEP_BYTES)


def render_seed(
    seed: int,
    *,
    family: BoardFamily | None = None,
    size_px: tuple[int, int] | None = None,
    stills_per_kit: int = 1,
) -> Picture:
    """The still of a seed; ``stills_per_kit`` neighbours share board, discs and table."""
    kit = None if stills_per_kit <= 1 else seed // stills_per_kit
    return render(sample_scene(seed, family=family, size_px=size_px, kit=kit))


def render_many(
    seeds: Sequence[int],
    executor: Executor | None = None,
    *,
    family: BoardFamily | None = None,
    size_px: tuple[int, int] | None = None,
    stills_per_kit: int = 1,
    chunk: int = 8,
) -> Iterator[Picture]:
    """The stills of many seeds, in their order; ``executor`` may be a pool or a cluster.

    A pool of processes is quickest with ``prepare_worker`` as its initializer.
    ``stills_per_kit`` above 1 is quicker: so many neighbouring seeds share a board. Then split
    training from tests between kits, never inside one.
    """
    if stills_per_kit < 1 or chunk < 1:
        got = (stills_per_kit, chunk)
        raise SceneError("stills_per_kit, chunk", expected="1 or more", got=got)
    work = partial(render_seed, family=family, size_px=size_px, stills_per_kit=stills_per_kit)
    if executor is None:
        return map(work, seeds)
    return executor.map(work, seeds, chunksize=chunk)
