"""Which films are judged: every ruleset, players, sizes, rates and incidents, by seed alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carrom.errors import SchemaError
from referee.laws import Ruleset
from sim.camera.films import FilmScript

__all__ = ["FIRST_SEED", "FilmJob", "film_jobs"]

FIRST_SEED = 9_000_000
"""Films from this seed on are for judging only; nothing is built or tuned with them."""

_SIZES = ((1280, 720), (1920, 1080))
_RATES = (30.0, 60.0)
_INCIDENTS = (0.0, 0.25)
_PACES = (1.0, 0.7)
_SKILLS = ((0.75, 0.6), (0.95, 0.9), (0.4, 0.3))


@dataclass(frozen=True, slots=True)
class FilmJob:
    """One film; everything about it follows from these."""

    rules: str
    seed: int
    strokes: int
    players: int | None
    fps: float
    size_px: tuple[int, int]
    incident_rate: float
    pace: float = 1.0
    skills: tuple[float, ...] = _SKILLS[0]

    @property
    def name(self) -> str:
        """Unique among the jobs of one ruleset and seed."""
        return f"{self.rules} {self.seed}"

    @property
    def script(self) -> FilmScript:
        """What the film maker is asked for."""
        return FilmScript(
            rules=self.rules, seed=self.seed, strokes=self.strokes, players=self.players,
            incident_rate=self.incident_rate, pace=self.pace, skills=self.skills,
        )  # fmt: skip


def film_jobs(
    films: int, *, first_seed: int = FIRST_SEED, rules: Sequence[str] = (), strokes: int = 8
) -> list[FilmJob]:
    """``films`` jobs from ``first_seed`` on.

    Rulesets take turns; every further setting takes turns at a rhythm of its own, so that some
    hundred films hold every combination of two. Raises ``SchemaError``.
    """
    if films < 1:
        raise SchemaError("--films", expected="1 or more", got=films)
    if first_seed < 0:
        raise SchemaError("--first", expected="0 or more", got=first_seed)
    names = list(rules) or [ruleset.value for ruleset in Ruleset]
    known = {ruleset.value for ruleset in Ruleset}
    if not set(names) <= known:
        raise SchemaError("--rules", expected=f"names of {sorted(known)}", got=names)
    return [_job(first_seed + k, k, names, strokes) for k in range(films)]


def _job(seed: int, k: int, names: Sequence[str], strokes: int) -> FilmJob:
    rules = names[k % len(names)]
    turn = k // len(names)
    three = Ruleset(rules).three_players
    return FilmJob(
        rules=rules,
        seed=seed,
        strokes=strokes,
        players=None if three else (2, 2, 4)[turn % 3],
        fps=_RATES[(turn // 2 + k) % 2],
        size_px=_SIZES[(turn + k) % 2],
        incident_rate=_INCIDENTS[turn % 2],
        pace=_PACES[turn // 2 % 2],
        skills=_SKILLS[(turn + k) % 3],
    )
