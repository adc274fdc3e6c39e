"""The clips in ``datasets/fixtures``: whole, small, and covering what they promise."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from carrom.errors import SchemaError
from carrom.events import EVENT_CLASSES
from referee.laws import Ruleset
from referee.match import Match
from referee.match_events import CODEC, MatchEvent
from sim.camera.films import IncidentKind
from sim.camera.films.make_fixtures import FIXTURES, make_all

FOLDER = Path(__file__).parents[4] / "datasets" / "fixtures"
CLIPS = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["clips"]
MOST_BYTES = 16 * 2**20


def test_there_is_a_clip_of_each_ruleset() -> None:
    assert {fixture.script.rules for fixture in FIXTURES} == {rules.value for rules in Ruleset}
    assert [clip["name"] for clip in CLIPS] == [fixture.name for fixture in FIXTURES]
    assert all(5 <= clip["strokes"] <= 10 for clip in CLIPS)


def test_together_they_show_every_incident() -> None:
    assert {kind for clip in CLIPS for kind in clip["incidents"]} == set(IncidentKind)


def test_together_they_show_every_event() -> None:
    """The seam between eyes and laws is tested with these clips: no word of it may be missing."""
    assert {name for clip in CLIPS for name in clip["events"]} == set(EVENT_CLASSES)


def test_the_table_says_where_to_see_every_event() -> None:
    """A page that sends its reader to the wrong clip is worse than none."""
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| \w+ \| .* \| (.+) \|$", text, re.MULTILINE)
    assert {name for name, _ in rows} == set(EVENT_CLASSES)
    shown = {clip["name"]: set(clip["events"]) for clip in CLIPS}
    for event, where in rows:
        named = shown if where == "every clip" else [where.strip("`")]
        assert all(event in shown[name] for name in named), event


def test_a_clip_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        make_all(tmp_path, ["nepal"])


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
    told = [row["ruling"] for row in rows if row["type"] in ("stroke", "between")]
    assert told == ruled[: len(told)]
    assert sum(row["type"] == "stroke" for row in rows) == clip["strokes"]
