"""Film the clip of `carrom demo`: a simulated match, small enough to ship.

python datasets/demo/make_demo.py
"""

from pathlib import Path

from sim.camera.films import FilmScript, film_of, frame_times
from sim.camera.films.write import write_film

SECONDS, FPS = 33.0, 30.0


def main() -> None:
    """Write ``icf.mp4`` beside this file."""
    film = film_of(FilmScript(rules="icf", seed=7, seconds=SECONDS))
    times = frame_times(min(SECONDS, film.timeline.duration_s), fps=FPS)
    write_film(film, times, Path(__file__).with_name("icf.mp4"), fps=FPS, crf=31, preset="slow")


if __name__ == "__main__":
    main()
