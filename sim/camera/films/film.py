"""Frames of a timeline: pictures with their truth, at any times."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from sim.camera.arrays import Array
from sim.camera.films.compositor import Compositor
from sim.camera.films.hand_cache import HandCache
from sim.camera.films.play import play
from sim.camera.films.script import FilmScript
from sim.camera.films.studio import Studio, exposure_at, studio_of
from sim.camera.films.timeline import Moment, Timeline
from sim.camera.films.world import world_of
from sim.camera.render import Picture, render
from sim.camera.truth import Truth

__all__ = ["Film", "FilmFrame", "film_of", "frame_times"]


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One frame: when, what it shows, and what was there; ``truth`` only if asked for."""

    index: int
    t_s: float
    image_bgr: Array
    moment: Moment
    truth: Truth | None = None
    hand_masks: tuple[Array, ...] = ()


class Film:
    """Renders a timeline in a studio, frame by frame. Not for several threads."""

    def __init__(self, timeline: Timeline, studio: Studio) -> None:
        self.timeline, self.studio = timeline, studio
        self._compositor = Compositor()
        self._hands = HandCache(studio, timeline)

    def frame(self, t_s: float, index: int = 0, *, want_truth: bool = True) -> FilmFrame:
        """The frame whose exposure has its middle at ``t_s``; ``index`` seeds the grain."""
        moment = self.timeline.at(t_s)
        scene = self.studio.scene_at(self.timeline, moment, frame=index)
        awake = self.timeline.awake(t_s)
        shown = [disc for disc in moment.discs if disc.place.state is not None]
        still = frozenset(k for k, disc in enumerate(shown) if disc.id not in awake)
        shot = self._compositor.shoot(
            scene,
            still=still,
            hands=self._hands.layers(scene, t_s, moment.hands),
            level=exposure_at(self.timeline, t_s),
            t_s=t_s,
            want_truth=want_truth,
        )
        return FilmFrame(index, t_s, shot.image_bgr, moment, shot.truth, shot.hand_masks)

    def frames(self, times_s: Iterable[float], *, truth_every: int = 1) -> Iterator[FilmFrame]:
        """The frames of these times; the truth of every ``truth_every``-th (0: of none)."""
        for index, t_s in enumerate(times_s):
            wanted = truth_every > 0 and index % truth_every == 0
            yield self.frame(t_s, index, want_truth=wanted)

    def plain(self, t_s: float, index: int = 0) -> Picture:
        """The same frame as ``render`` draws it, slowly: to compare with."""
        moment = self.timeline.at(t_s)
        scene = self.studio.scene_at(self.timeline, moment, frame=index)
        level = exposure_at(self.timeline, t_s)
        sensor = replace(scene.sensor, exposure=scene.sensor.exposure * level)
        return render(replace(scene, sensor=sensor), t_s=t_s)


def film_of(
    script: FilmScript, *, size_px: tuple[int, int] = (1280, 720), plain_board: bool = False
) -> Film:
    """The film of a script: its room, its match."""
    studio = studio_of(script, size_px=size_px, plain_board=plain_board)
    return Film(play(script, world_of(studio.scene)), studio)


def frame_times(
    duration_s: float, *, fps: float = 30.0, jitter: float = 0.0, drop: float = 0.0, seed: int = 0
) -> list[float]:
    """Times of frames. ``jitter``: standard deviation as a share of a frame's time; ``drop``:
    share of the frames left out, as webcams do. Rising, starts at 0."""
    rng = np.random.default_rng((seed, 8))
    step = 1.0 / fps
    times: list[float] = []
    for k in range(int(duration_s * fps) + 1):
        t_s = k * step + float(np.clip(rng.normal(0, jitter), -0.4, 0.4)) * step
        dropped = rng.random() < drop
        if k == 0 or (not dropped and t_s > times[-1] + 1e-4):
            times.append(max(t_s, 0.0) if k else 0.0)
    return times
