"""The simulated camera as a source of frames: a match that never happened, filmed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from carrom.errors import CarromError, SourceError
from vision.frames import Frame, SourceInfo, SourceKind

if TYPE_CHECKING:
    from sim.camera.films import LiveFilm

__all__ = ["VirtualCamera", "virtual_camera"]

_KNOWN = "virtual:RULES?seed=7&seconds=300&players=2&incidents=0.1&fps=30&size=1280x720"
_CLOSE_S = 0.5


class VirtualCamera:
    """Frames of a ``LiveFilm``; ``name``: as it was asked for."""

    def __init__(self, film: LiveFilm, name: str, *, live: bool) -> None:
        self._film, self._lock = film, Lock()
        self._seq = 0
        width, height = film.size_px
        self._info = SourceInfo(
            SourceKind.SIMULATED, name, name, width, height, live=live, fps=film.fps
        )

    @property
    def info(self) -> SourceInfo:
        """What is delivered."""
        return self._info

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame, drawn now; ``None`` at the end of the film."""
        with self._lock:
            shot = next(self._film, None)
            if shot is None:
                return None
            frame = Frame(shot.image_bgr, shot.t_s, self._seq)
            self._seq += 1
            return frame

    def close(self) -> None:
        """End the film; a frame that is being drawn is finished first."""
        self._film.close()
        if self._lock.acquire(timeout=_CLOSE_S):
            self._lock.release()


def virtual_camera(text: str) -> tuple[Callable[[], VirtualCamera], bool]:
    """What opens ``virtual[:RULES][?KEY=VALUE&…]``, and whether it runs in real time.

    Raises ``SourceError`` for keys and values that cannot be meant; what the film maker refuses is
    told when it is opened.
    """
    head, _, query = text.partition("?")
    rules = head.partition(":")[2] or "icf"
    given = dict(parse_qsl(query, keep_blank_values=True))
    asked = {
        "seed": _number(text, given, "seed", 0, 0, 2**62),
        "seconds": _number(text, given, "seconds", 300, 1, 7200),
        "players": _number(text, given, "players", 0, 0, 4),
        "incidents": _number(text, given, "incidents", 0, 0, 1),
        "fps": _number(text, given, "fps", 30, 0.1, 240),
        "live": _number(text, given, "live", 1, 0, 1),
    }
    size = _size(text, given.pop("size", "1280x720"))
    if given:
        raise SourceError(text, f"unknown: {', '.join(sorted(given))}; known: {_KNOWN}")
    live = asked["live"] != 0

    def opened() -> VirtualCamera:
        from sim.camera.films import FilmScript, LiveFilm, film_of

        try:
            film = film_of(
                FilmScript(
                    rules=rules, seed=int(asked["seed"]), seconds=asked["seconds"],
                    players=int(asked["players"]) or None, incident_rate=asked["incidents"],
                ),
                size_px=size,
            )  # fmt: skip
        except CarromError as error:
            raise SourceError(text, str(error)) from error
        shown = LiveFilm(film.timeline, film.studio, fps=asked["fps"], real_time=live)
        return VirtualCamera(shown, text, live=live)

    return opened, live


def _number(
    text: str, given: dict[str, str], key: str, default: float, low: float, high: float
) -> float:
    word = given.pop(key, None)
    if word is None:
        return default
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SourceError(text, f"{key}: expected {low:g} to {high:g}, got {word!r}")
    return value


def _size(text: str, word: str) -> tuple[int, int]:
    width, _, height = word.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise SourceError(text, f"size: expected such as 1280x720, got {word!r}")
    size = (int(width), int(height))
    if not (min(size) >= 64 and max(size) <= 8192):
        raise SourceError(text, f"size: expected 64 to 8192 px a side, got {word!r}")
    return size
