"""Which films judge, and what their rows add up to."""

from pathlib import Path

import pytest

from api.cli.evaluate_films import _RowFile
from api.evaluation.film_jobs import FIRST_SEED, film_jobs
from api.evaluation.film_row import FilmRow, scores_of
from api.evaluation.film_tables import film_table
from carrom.errors import SchemaError
from referee.laws import Ruleset


def test_settings_are_spread() -> None:
    """Every ruleset meets every size, rate, number of players and incidents."""
    jobs = film_jobs(144)
    assert [job.seed for job in jobs] == list(range(FIRST_SEED, FIRST_SEED + 144))
    for rules in Ruleset:
        mine = [job for job in jobs if job.rules == rules.value]
        assert len(mine) == 24
        assert {(job.size_px, job.fps) for job in mine} == {
            (size, fps) for size in ((1280, 720), (1920, 1080)) for fps in (30.0, 60.0)
        }
        assert {job.incident_rate for job in mine} == {0.0, 0.25}
        players = {job.players for job in mine}
        assert players == ({None} if rules.three_players else {2, 4})


def test_more_films_begin_with_the_same() -> None:
    """A longer run contains the shorter one, so that it can go on from its file."""
    assert film_jobs(30)[:12] == film_jobs(12)


@pytest.mark.parametrize(
    ("films", "more"), [(0, {}), (3, {"rules": ["nonsense"]}), (3, {"first_seed": -1})]
)
def test_refused(films: int, more: dict[str, object]) -> None:
    """What cannot be meant is told."""
    with pytest.raises(SchemaError):
        film_jobs(films, **more)  # type: ignore[arg-type]


def _row(name: str, **more: object) -> FilmRow:
    return FilmRow(name=name, group="icf", **more)  # type: ignore[arg-type]


def test_scores_count_what_was_missed_as_wrong() -> None:
    """A stroke that was not found is not exact, and as bad as a wrong call; so is a false one."""
    rows = [
        _row("a", strokes=10, found=9, false=1, exact=8, ruled=9, asked=1, wrong_unasked=0,
             rest_exact=8, call_s=(0.4, 0.6), film_s=60.0, work_s=20.0),
        _row("b", strokes=10, found=10, exact=10, ruled=9, wrong_unasked=1, rest_exact=10,
             call_s=(0.5,)),
    ]  # fmt: skip
    scores = scores_of(rows)
    assert scores.found == pytest.approx(0.95)
    assert scores.wrong_unasked == pytest.approx(3 / 20)
    assert scores.asked == pytest.approx(1 / 20)
    assert scores.rest_exact == pytest.approx(18 / 20)
    assert scores.call_median_s == 0.5
    assert scores.speed == pytest.approx(3.0)
    assert scores_of([]).call_median_s is None


def test_table_shows_bars_beside_figures() -> None:
    """Whoever reads a figure sees what it should be."""
    rows = [_row("a", strokes=200, found=199, exact=190, differences=("-touched:white",) * 3)]
    text = film_table(rows, eyes="truth")
    assert "| strokes found | 99.50 % | 99.50 % | >= 99.5 % |" in text
    assert "3 x `-touched:white`" in text


def test_rows_survive_an_interruption(tmp_path: Path) -> None:
    """Hours of judging are not lost; a line that was cut off is judged again."""
    path = tmp_path / "rows.jsonl"
    store = _RowFile(path, about="truth")
    store.add(_row("a", strokes=3, call_s=(0.5,), notes=("n",)))
    with path.open("a") as file:
        file.write('{"name": "b", "gro')
    again = _RowFile(path, about="truth")
    assert list(again.rows) == ["a"]
    assert again.rows["a"].call_s == (0.5,)
    again.add(_row("b"))
    assert list(_RowFile(path, about="truth").rows) == ["a", "b"]
    with pytest.raises(SchemaError):
        _RowFile(path, about="video")
