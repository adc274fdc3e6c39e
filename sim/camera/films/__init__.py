"""Films of the simulated camera: a match with hands, rulings, returns and incidents, and its truth.

    from sim.camera.films import FilmScript, film_of, frame_times

    film = film_of(FilmScript(rules="icf", seed=7, strokes=2))
    film.timeline.strokes[0].outcome      # what happened
    film.frame(3.0).image_bgr             # (720, 1280, 3) uint8

``sim.camera.films.write`` writes mp4 and truth; it needs PyAV.
"""

from sim.camera.films.film import Film, FilmFrame, film_of, frame_times
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.live import LiveFilm, LiveFrame
from sim.camera.films.play import play
from sim.camera.films.script import FilmScript, Wish, load_script, parse_script
from sim.camera.films.studio import Studio, studio_of
from sim.camera.films.timeline import (
    FilmDisc,
    FilmHand,
    Interlude,
    LightChange,
    Moment,
    Nudge,
    Phase,
    PhaseKind,
    StrokeTruth,
    Timeline,
)
from sim.camera.films.world import World, world_of

__all__ = [
    "Film",
    "FilmDisc",
    "FilmFrame",
    "FilmHand",
    "FilmScript",
    "Incident",
    "IncidentKind",
    "Interlude",
    "LightChange",
    "LiveFilm",
    "LiveFrame",
    "Moment",
    "Nudge",
    "Phase",
    "PhaseKind",
    "StrokeTruth",
    "Studio",
    "Timeline",
    "Wish",
    "World",
    "film_of",
    "frame_times",
    "load_script",
    "parse_script",
    "play",
    "studio_of",
    "world_of",
]
