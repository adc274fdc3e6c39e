"""Advice as a whole: sensible, symmetric, repeatable, stoppable."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from carrom.board_marks import from_seat_frame, to_seat_frame
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from referee.ruleset_files import load_laws
from sim.advisor.choice import easier_first
from sim.advisor.race import Scores, racer_for
from sim.advisor.seat_view import seat_row, seat_table
from sim.advisor.situation import QueenSays, situation_of
from sim.advisor.skill import CASUAL, CLUB, STRONG
from sim.advisor.suggestion import Chance, ShotKind, Stage
from sim.advisor.sweep import Grid
from sim.advisor.thinking import best_advice, thoughts
from sim.advisor.workers import ThoughtCancelled, Workers

from .conftest import TINY

OPEN = "w+250.0+250.0 w-100.0+60.0 b+120.0+200.0 b-200.0-120.0 q+0.0+0.0"


def test_a_hanging_man_is_suggested_first(ask, quick):
    """A white man before the far right pocket, nothing in the way."""
    best = quick(ask("w+310.0+310.0 w-100.0+60.0 b-120.0+200.0 b-200.0-120.0 q+0.0+0.0")).best
    assert best is not None
    assert best.target_piece is PieceKind.WHITE
    assert best.pocket is Pocket.NORTH_EAST
    assert best.chance.value > 0.7


def test_what_must_be_covered_decides_what_is_wanted(ask):
    """The same position: free, the queen will do; with her to be covered only an own man will;
    with one man left and the queen on the board only she (ICF-69, ICF-80)."""

    def wanted(text, rules="icf", **words):
        situation = ask(text, rules, **words)
        table = seat_table(situation)
        racer = racer_for(situation, table, CLUB, np.random.default_rng(0), Workers())
        return racer.judge.wanted_now()

    w, b, q, j, r = (PieceKind(k) for k in ("white", "black", "queen", "jack", "red"))
    assert wanted(OPEN) == {w, q}
    assert wanted("w+0.0+0.0 w+90.0+0.0 b+120.0+200.0", queen=QueenSays.UNCOVERED) == {w}
    assert wanted("w+0.0+0.0 b+120.0+200.0 q+50.0+50.0") == {q}
    assert wanted("g+0.0+0.0 r+120.0+200.0 j+50.0+50.0", "hikone") == {r}
    assert wanted("g+0.0+0.0 g+120.0+200.0 j+50.0+50.0", "hikone") == {j}
    assert wanted(OPEN, "point_carrom_se") == {w, b, q}


def test_the_same_board_other_laws_other_advice(ask, quick):
    """A white man and the queen hang before two pockets. White is the last one: under the ICF Laws
    it must wait for the queen (ICF-80); where anything counts, either will do; with the queen to
    be covered it is the only one."""
    text = "w+318.0+300.0 q-318.0+300.0 b-60.0+60.0 b+60.0+60.0"
    icf = quick(ask(text)).best
    assert icf is not None
    assert icf.target_piece is PieceKind.QUEEN
    targets = {s.target_piece for s in quick(ask(text, "point_carrom_se")).suggestions}
    assert PieceKind.WHITE in targets
    cover = quick(ask("w+318.0+300.0 b-60.0+60.0 b+60.0+60.0", queen=QueenSays.UNCOVERED)).best
    assert cover is not None
    assert cover.target_piece is PieceKind.WHITE


def test_the_jack_waits_for_the_last_pack(ask, quick):
    """HK-22: five packs back for pocketing it early; afterwards it wins (HK-21)."""
    text = "j+255.0+255.0 r-100.0+0.0 g+0.0+100.0 g-50.0+150.0"
    early = quick(ask(text, "hikone")).best
    assert early is not None
    assert early.target_piece is PieceKind.RED
    late = quick(ask("j+255.0+255.0 g+0.0+100.0 g-50.0+150.0", "hikone")).best
    assert late is not None
    assert late.target_piece is PieceKind.JACK


@pytest.mark.parametrize("seat", [Seat.EAST, Seat.NORTH, Seat.WEST])
def test_a_turned_position_gives_the_turned_advice(ask, quick, seat):
    """The board has four equal sides: another seat sees the very same thing."""
    south = ask(OPEN)
    turned = Position(
        tuple(Disc(d.kind, *from_seat_frame(seat, d.x_mm, d.y_mm)) for d in south.position)
    )
    other = situation_of(turned, load_laws("icf"), seat=seat)
    for mine, theirs in zip(quick(south).all, quick(other).all, strict=True):
        assert np.allclose(seat_row(mine.stroke), seat_row(theirs.stroke))
        assert mine.chance == theirs.chance
        assert mine.kind is theirs.kind
        for one, two in zip(mine.ends_mm, theirs.ends_mm, strict=True):
            assert np.allclose(one, to_seat_frame(seat, *two))


def test_a_mirrored_position_gives_mirrored_advice(ask, quick):
    """Left and right are alike; only the noise that is drawn is not mirrored with them."""
    one = quick(ask("w+310.0+300.0 w+100.0+60.0 b-120.0+200.0 b-200.0-120.0 q+0.0+0.0")).best
    two = quick(ask("w-310.0+300.0 w-100.0+60.0 b+120.0+200.0 b+200.0-120.0 q+0.0+0.0")).best
    assert one is not None
    assert two is not None
    assert (one.pocket, two.pocket) == (Pocket.NORTH_EAST, Pocket.NORTH_WEST)
    assert one.target_piece is two.target_piece
    assert abs(one.chance.value - two.chance.value) < 4 * (one.chance.error + two.chance.error)


def test_mirrored_strokes_are_worth_the_same(ask):
    """Without noise the mirror is exact: every stroke of a sweep and its mirror image."""
    text, image = "w+210.0+230.0 b-120.0+200.0 q+0.0+0.0", "w-210.0+230.0 b+120.0+200.0 q+0.0+0.0"
    rng = np.random.default_rng(3)
    strokes = np.column_stack(
        [rng.uniform(-180, 180, 60), np.full(60, -252.6), rng.uniform(0.3, 2.8, 60)]
    )
    strokes = np.column_stack([strokes, rng.uniform(900, 3000, 60)])
    values = []
    for notation, rows in ((text, strokes), (image, strokes * [-1, 1, 1, 1])):
        situation = ask(notation)
        table = seat_table(situation)
        racer = racer_for(situation, table, CLUB, rng, Workers())
        turned = rows.copy()
        if notation == image:
            turned[:, 2] = np.pi - rows[:, 2]
        batch = racer.workers.simulate(table, turned)
        values.append(racer.judge.verdicts(batch, turned).value(0.5))
    assert np.allclose(*values)


def test_the_same_seed_gives_the_same_advice_on_any_number_of_threads(ask, quick):
    """Two cores make it sooner, not different."""
    situation = ask(OPEN)
    with ThreadPoolExecutor(2) as pool:
        assert quick(situation, executor=pool) == quick(situation)


def test_the_first_answer_comes_before_the_full_one(ask):
    """Any-time: each stage is an advice of its own."""
    stages = [advice.stage for advice in thoughts(ask(OPEN), efforts=(TINY, TINY))]
    assert stages == [Stage.FIRST, Stage.FULL]


def test_thinking_stops_when_the_board_moves(ask):
    """After the first answer somebody touches the board: no second one."""
    moved = threading.Event()
    stream = thoughts(ask(OPEN), efforts=(TINY, TINY), cancelled=moved.is_set)
    assert next(stream).stage is Stage.FIRST
    moved.set()
    assert list(stream) == []


@pytest.mark.parametrize("threads", [0, 2])
def test_a_cancel_is_heeded_within_a_chunk(ask, threads):
    """However many strokes were asked for: 400 more at most on each core (5 to 10 ms)."""
    table = seat_table(ask(OPEN))
    strokes = np.tile([[0.0, -252.6, 1.4, 1500.0]], (60_000, 1))
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > 2

    pool = ThreadPoolExecutor(threads) if threads else None
    workers = Workers(pool, cancelled)
    with pytest.raises(ThoughtCancelled):
        workers.simulate(table, strokes)
    assert workers.strokes == 0
    assert asked == 3
    if pool is not None:
        pool.shutdown()


def test_a_better_player_is_shown_a_better_chance(ask, quick):
    """The same stroke under three spreads of the hand."""
    situation = ask(OPEN)
    stroke = seat_row(quick(situation).best.stroke)[None]
    chances = []
    for skill in (STRONG, CLUB, CASUAL):
        table = seat_table(situation)
        racer = racer_for(situation, table, skill, np.random.default_rng(5), Workers())
        sample = racer.sample(stroke, racer.draws(400), leave=False)
        chances.append(sample.verdicts.success.mean())
    assert chances[0] > chances[1] > chances[2]


def test_suggestions_are_different_ideas(ask, quick):
    """Never the same piece into the same pocket twice."""
    advice = quick(ask(OPEN))
    ideas = [(s.target, s.pocket) for s in advice.suggestions]
    assert len(set(ideas)) == len(ideas) <= 3


def test_a_poor_attack_brings_a_safe_stroke(ask, quick):
    """A black man shields the only white one in the corner at one's back: leave little instead."""
    text = "w+0.0-354.0 b+0.0+0.0 b+335.0+250.0 b-330.0+240.0"
    advice = quick(ask(text, queen=QueenSays.THEIRS), skill=CASUAL)
    assert advice.safe is not None
    assert advice.safe.kind is ShotKind.SAFE
    assert all(s.chance.value < 0.4 for s in advice.suggestions)


def test_no_path_is_drawn_beyond_the_third_contact(ask, quick):
    """What comes then is a chance, not a line: every leg ends by that moment."""
    from sim.advisor.drawn_path import drawn_path
    from sim.physics.simulation import simulate
    from sim.physics.trajectory import ImpactKind

    situation = ask(OPEN)
    for suggestion in quick(situation).suggestions:
        run = simulate(situation.position, suggestion.stroke, situation.board, situation.surface)
        hits = [
            e.t_s
            for e in run.events
            if e.kind is ImpactKind.CONTACT or (e.kind is ImpactKind.FRAME and e.a == run.striker)
        ]
        if len(hits) < 3:
            continue
        places = run.positions_at(hits[2])
        for leg in drawn_path(run, target=suggestion.target):
            if leg.piece is PieceKind.STRIKER:
                assert np.allclose(leg.points_mm[-1], places[run.striker], atol=3.1)


def test_chances_are_counted_and_never_certain():
    """0 of 100 is no proof of 0."""
    assert Chance.counted(50, 100).value == 0.5
    assert Chance.counted(0, 100).error > 0.01


def test_the_break_comes_from_the_book(quick):
    """The pack untouched: statistics of the book, a path to the pack at most."""
    from carrom.boards import ICF_BOARD
    from carrom.layouts import opening_position

    for rules in ("icf", "gamerules", "carrom_se", "point_gamerules"):
        situation = situation_of(opening_position(ICF_BOARD), load_laws(rules), seat=Seat.EAST)
        assert not situation.state.break_done
        advice = quick(situation)
        assert advice.suggestions
        for suggestion in advice.suggestions:
            assert suggestion.from_book
            assert suggestion.kind is ShotKind.BREAK
            assert len(suggestion.path[0].points_mm) == 2


def test_nobody_is_asked_to_strike_harder_than_people_do(ask):
    """The gallery once led with nine metres a second for a beginner: only chance pockets then."""
    crowded = "w+40.0+0.0 w-40.0+20.0 w+0.0+60.0 b+20.0-40.0 b-60.0-30.0 b+80.0+40.0 q+0.0+0.0"
    grid = Grid(places=7, speeds_mm_s=(3000.0, 9000.0), step_rad=0.05)
    effort = replace(TINY, grid=grid, local=20)
    for skill in (CASUAL, replace(STRONG, hardest_mm_s=2500.0)):
        advice = best_advice(thoughts(ask(crowded), skill, efforts=(effort,)))
        assert advice.all
        assert all(one.stroke.speed_mm_s <= skill.hardest_mm_s for one in advice.all)


def test_of_equal_ideas_the_likelier_comes_first():
    """A stroke worth a hundredth more but missed twice as often is no better advice."""
    none = np.zeros(4, dtype=np.int64)
    value = np.array([0.50, 0.49, 0.30, 0.47])
    success, foul = np.array([0.60, 0.95, 0.90, 0.99]), np.array([0.10, 0.0, 0.0, 0.0])
    scores = Scores(value, success, foul, none, none)
    assert easier_first([0, 1, 3, 2], scores) == [1, 0, 3, 2]
