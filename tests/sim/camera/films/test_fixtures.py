"""The clips in ``datasets/fixtures``: whole, small, and covering what they promise."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from referee.laws import Ruleset
from referee.match import Match
from referee.match_events import CODEC, MatchEvent
from sim.camera.films import IncidentKind
from sim.camera.films.make_fixtures import FIXTURES

FOLDER = Path(__file__).parents[4] / "datasets" / "fixtures"
CLIPS = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["clips"]
MOST_BYTES = 20 * 2**20


def test_there_is_a_clip_of_each_ruleset() -> None:
    assert {fixture.script.rules for fixture in FIXTURES} == {rules.value for rules in Ruleset}
    assert [clip["name"] for clip in CLIPS] == [fixture.name for fixture in FIXTURES]
    assert all(5 <= clip["strokes"] <= 10 for clip in CLIPS)


def test_together_they_show_every_incident() -> None:
    assert {kind for clip in CLIPS for kind in clip["incidents"]} == set(IncidentKind)


def test_they_are_small() -> None:
    assert sum(file["bytes"] for clip in CLIPS for file in clip["files"].values()) < MOST_BYTES


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip["name"]))
def test_the_files_are_those_of_the_manifest(clip: dict[str, object]) -> None:
    files = clip["files"]
    assert isinstance(files, dict)
    for name, file in files.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == file["sha256"]


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip["name"]))
def test_their_rulings_are_those_of_the_referee(clip: dict[str, object]) -> None:
    """A change of the laws in code shows here; then make the clips anew."""
    lines = (FOLDER / f"{clip['name']}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    log = [CODEC.decode(MatchEvent, row["event"]) for row in rows if row["type"] == "match"]
    ruled = [CODEC.encode(record.ruling) for record in Match.replay(log).strokes]
    told = [row["ruling"] for row in rows if row["type"] == "stroke"]
    assert told == ruled[: len(told)]
    assert len(told) == clip["strokes"]
