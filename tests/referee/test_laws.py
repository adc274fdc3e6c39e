"""Rulesets are readable files; a club copies one and changes what it plays differently."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from carrom.errors import LawsError
from referee.laws import OPTION_CLASSES, Ruleset
from referee.options import CarromSeOptions, option_values
from referee.ruleset_files import laws_from_data, laws_to_data, load_laws, load_laws_file


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_the_shipped_file_says_the_defaults(ruleset: Ruleset) -> None:
    """The file is what a club reads; it must not lie about what the code does."""
    assert load_laws(ruleset.value).options == OPTION_CLASSES[ruleset]()


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_the_shipped_file_names_every_option(ruleset: Ruleset) -> None:
    """An option nobody can find in the file does not exist for a club (a comment counts)."""
    folder = Path(__file__).parents[2] / "referee" / "rulesets"
    text = (folder / f"{ruleset.value}.toml").read_text("utf-8")
    for name in option_values(OPTION_CLASSES[ruleset]):
        assert name in text


def test_a_club_starts_from_a_ruleset_and_flips(tmp_path: Path) -> None:
    """Clubs differ: to 29 with a queen of 5, fewer penalties for beginners."""
    path = tmp_path / "my_club.toml"
    path.write_text(
        'base = "icf"\ntitle = "Thursday"\n[numbers]\ntarget_points = 29\nqueen_points = 5\n'
    )
    laws = load_laws(str(path))
    assert (laws.title, laws.ruleset) == ("Thursday", Ruleset.ICF)
    assert (laws.numbers.target_points, laws.numbers.queen_points) == (29, 5)
    assert laws.numbers.boards == 8, "what the file does not say stays"
    assert laws.numbers.queen_cap == 26, "the cap follows the target"


def test_a_copy_of_a_whole_shipped_file_is_a_club_file(tmp_path: Path) -> None:
    """ "Copy this file" must work as it stands."""
    folder = Path(__file__).parents[2] / "referee" / "rulesets"
    for source in folder.glob("*.toml"):
        copy = tmp_path / source.name
        copy.write_text(source.read_text("utf-8"), "utf-8")
        assert load_laws_file(copy) == load_laws(source.stem)


def test_the_target_is_one_number_however_it_is_given(tmp_path: Path) -> None:
    """carrom.se has it as an option (SB-02) and as a number; the file sets both or neither."""
    for text, target in (
        ("[numbers]\ntarget_points = 29\n", 29),
        ("[options]\ntarget = 13\n", 13),
        ("[numbers]\ntarget_points = 13\n[options]\ntarget = 13\n", 13),
    ):
        path = tmp_path / "club.toml"
        path.write_text('base = "carrom_se"\n' + text)
        laws = load_laws(str(path))
        assert isinstance(laws.options, CarromSeOptions)
        assert (laws.numbers.target_points, laws.options.target) == (target, target)
    path.write_text('base = "carrom_se"\n[numbers]\ntarget_points = 29\n[options]\ntarget = 13\n')
    with pytest.raises(LawsError, match="differ"):
        load_laws(str(path))


def test_the_target_option_sets_the_cap() -> None:
    """SB-02, SE-23: 10 of 13."""
    laws = load_laws("carrom_se", {"target": 13})
    assert (laws.numbers.target_points, laws.numbers.queen_cap) == (13, 10)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('base = "snooker"\n', "snooker"),
        ("[options]\n", "base"),
        ('base = "icf"\n[options]\ntarget = 13\n', "target"),
        ('base = "hikone"\n[options]\njack_penalty_packs = 99\n', "99"),
        ('base = "hikone"\n[options]\nallow_push = "yes"\n', "yes"),
        ('base = "hikone"\n[options]\nown_side_pockets = "never"\n', "never"),
        ('base = "icf"\n[numbers]\nboards = 0\n', "boards"),
        ('base = "icf"\n[numbers]\nboards = true\n', "boards"),
        ('base = "icf"\n[numbers]\ntempo = 3\n', "tempo"),
        ('base = "icf"\n[numbers]\ndirection = "up"\n', "direction"),
        ('base = "icf"\n[numbers]\nman_points = { pink = 1 }\n', "pink"),
        ('base = "icf"\ntitle = 3\n', "title"),
        ('base = "icf"\nmotto = "x"\n', "motto"),
        ('base = "icf"\noptions = 3\n', "options"),
        ("base = \n", "TOML"),
    ],
)
def test_a_broken_club_file_says_what_is_wrong(tmp_path: Path, text: str, named: str) -> None:
    """A wrong option must not be played by silently."""
    path = tmp_path / "club.toml"
    path.write_text(text)
    with pytest.raises(LawsError) as caught:
        load_laws(str(path))
    assert named in str(caught.value)


def test_unknown_rulesets_and_files_are_named() -> None:
    """Typing errors on the command line."""
    with pytest.raises(LawsError, match="icff"):
        load_laws("icff")
    with pytest.raises(LawsError, match=r"nowhere\.toml"):
        load_laws("nowhere.toml")


def test_what_a_club_changed_is_all_that_is_written_down() -> None:
    """The transcript's header round-trips the laws and shows only the differences."""
    laws = load_laws("carrom_se", {"target": 13, "free_removal_min_left": {"white": 4}})
    data = laws_to_data(laws)
    assert data["option"] == {"target": 13, "free_removal_min_left": {"white": 4}}
    again = laws_from_data("carrom_se", laws.title, data["number"], data["option"])
    assert dataclasses.asdict(again) == dataclasses.asdict(laws)
