"""The break book: what is shipped, how it is looked up, how a build goes on where it stopped."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from carrom.board_marks import from_seat_frame, seat_rotation_rad
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import BoardError, SchemaError
from carrom.pieces import PieceKind
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics.break_book import (
    BreakCell,
    Rack,
    break_statistics,
    load_break_book,
    save_break_book,
)
from sim.physics.build_break_book import (
    Recipe,
    build_break_book,
    main,
    simulate_breaks,
    standard_cells,
)

CELLS = tuple(
    BreakCell(rack, 0.0, y_mm, 1.5, speed)
    for rack, y_mm in ((Rack.RING, -252.6), (Rack.CASTLE, -200.0))
    for speed in (3000.0, 6000.0)
)


def board_of(rack):
    return ICF_BOARD if rack is Rack.RING else HIKONE_BOARD


def stroke_of(cell, seat=Seat.SOUTH, is_mirrored=False, **changes):
    x_mm, angle_rad = cell.x_mm, cell.angle_rad
    if is_mirrored:
        x_mm, angle_rad = -x_mm, math.pi - angle_rad
    place = from_seat_frame(seat, x_mm, cell.y_mm)
    values = {
        "seat": seat,
        "placement_mm": (place.x_mm, place.y_mm),
        "angle_rad": angle_rad + seat_rotation_rad(seat),
        "speed_mm_s": cell.speed_mm_s,
    }
    return Stroke(**{**values, **changes})


def test_the_shipped_book_is_whole():
    book = load_break_book()
    assert {found.cell for found in book.cells} == set(standard_cells())
    assert dict(book.recipe) == Recipe().plain()
    for found in book.cells:
        assert found.breaks >= 150
        assert sum(found.pocketed) == found.breaks
        pieces = sum(k * count for k, count in enumerate(found.pocketed))
        assert pieces == sum(found.by_kind.values())
        assert set(found.by_kind) == set(board_of(found.cell.rack).pieces)
        assert 0 <= found.striker_pocketed <= found.breaks


def test_harder_breaks_do_more():
    cells = load_break_book().cells
    soft = [found for found in cells if found.cell.speed_mm_s == 2000.0]
    hard = [found for found in cells if found.cell.speed_mm_s == 6500.0]
    for rack in Rack:
        slow, fast = ([found for found in some if found.cell.rack is rack] for some in (soft, hard))
        assert np.mean([f.mean_pocketed for f in fast]) > np.mean([f.mean_pocketed for f in slow])
        assert np.mean([f.scatter_mm for f in fast]) > np.mean([f.scatter_mm for f in slow])
    assert all(found.scatter_mm > found.rack_scatter_mm for found in hard)


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_every_cell_finds_itself(seat, is_mirrored):
    for found in load_break_book().cells:
        cell = found.cell
        stroke = stroke_of(cell, seat, is_mirrored)
        assert break_statistics(stroke, board_of(cell.rack), rack=cell.rack) is found


def test_nothing_is_said_about_other_strokes():
    cell = next(standard_cells())
    assert break_statistics(stroke_of(cell), ICF_BOARD) is not None
    for changes in ({"angle_rad": 0.5}, {"speed_mm_s": 500.0}, {"placement_mm": (0.0, 100.0)}):
        assert break_statistics(stroke_of(cell, **changes), ICF_BOARD) is None
    assert break_statistics(stroke_of(cell), HIKONE_BOARD) is None


def test_statistics():
    found = replace(
        load_break_book().cells[0],
        breaks=10,
        pocketed=(5, 3, 2),
        by_kind={PieceKind.WHITE: 6, PieceKind.QUEEN: 1},
        striker_pocketed=1,
    )
    assert found.mean_pocketed == 0.7
    assert found.mean_pocketed_error == pytest.approx(math.sqrt((1.1 - 0.49) / 10))
    assert found.chance_of_at_least(1) == 0.5
    assert found.striker_chance == 0.1
    assert (found.mean_of(PieceKind.WHITE), found.mean_of(PieceKind.BLACK)) == (0.6, 0.0)


def test_a_build_goes_on_where_it_stopped(tmp_path):
    at_once, in_parts = tmp_path / "once.json", tmp_path / "parts.json"
    lines: list[str] = []
    whole = build_break_book(at_once, Recipe(breaks=4), CELLS, say=lines.append)
    assert len(lines) == len(CELLS)
    build_break_book(in_parts, Recipe(breaks=2), CELLS[:1])
    build_break_book(in_parts, Recipe(breaks=3), CELLS[:3])
    parts = build_break_book(in_parts, Recipe(breaks=4), CELLS)
    for one, other in zip(whole.cells, parts.cells, strict=True):
        assert replace(one, scatter_mm=0.0) == replace(other, scatter_mm=0.0)
        assert one.scatter_mm == pytest.approx(other.scatter_mm, abs=0.01)
    assert load_break_book(at_once) == whole
    assert len(build_break_book(tmp_path / "none.json", Recipe(), CELLS, seconds=-1).cells) == 0


def test_another_recipe_is_refused(tmp_path):
    path = tmp_path / "book.json"
    build_break_book(path, Recipe(breaks=1), CELLS[:1])
    with pytest.raises(SchemaError, match="same recipe"):
        build_break_book(path, Recipe(breaks=1, seed=9), CELLS[:1])
    build_break_book(path, Recipe(breaks=1, seed=9), CELLS[:1], is_fresh=True)
    assert load_break_book(path).recipe["seed"] == 9
    assert main(["--out", str(path), "--breaks", "1"]) == 1
    assert main(["--out", str(path), "--breaks", "1", "--fresh", "--seconds", "-1"]) == 0


def test_breaks_are_the_same_each_time():
    assert simulate_breaks(CELLS[0], Recipe(breaks=2)) == simulate_breaks(
        CELLS[0], Recipe(breaks=2)
    )


@pytest.mark.parametrize("text", ["", "{}", '{"recipe": {}, "cells": [{}]}'])
def test_broken_files(tmp_path, text):
    path = tmp_path / "book.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SchemaError, match=r"book\.json"):
        load_break_book(path)
    with pytest.raises(SchemaError, match=r"missing\.json"):
        load_break_book(tmp_path / "missing.json")


def test_counts_that_do_not_add_up(tmp_path):
    path = tmp_path / "book.json"
    save_break_book(load_break_book(), path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"][0]["breaks"] += 1
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(SchemaError, match="add up"):
        load_break_book(path)


def test_racks_belong_to_boards():
    with pytest.raises(BoardError):
        Rack.RING.position(HIKONE_BOARD)
