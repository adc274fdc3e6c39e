"""Physical parameters: priors, limits, files."""

import math
from dataclasses import fields

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import BoardError, SchemaError
from sim.physics import (
    HIKONE_SURFACE,
    ICF_SURFACE,
    SURFACE_PRIORS,
    SurfaceParams,
    load_surface,
    save_surface,
    surface_for,
)
from sim.physics.arrays import SURFACE_COLUMNS, surface_bounds, surface_vector
from sim.physics.surface_toml import surface_from_toml, surface_to_toml

OTHER = SurfaceParams(
    friction_men=0.13,
    restitution_disc=0.77,
    capture_speed_mm_s=None,
    leave_speed_mm_s=6500.0,
)


def test_defaults_are_the_priors():
    for name, prior in SURFACE_PRIORS.items():
        assert getattr(SurfaceParams(), name) == prior.value
        assert prior.source
    left_out = {item.name for item in fields(SurfaceParams)} - set(SURFACE_PRIORS)
    assert left_out == {"leave_speed_mm_s"}


def test_every_prior_range_is_accepted():
    for name, prior in SURFACE_PRIORS.items():
        for value in (prior.low, prior.high):
            assert getattr(SurfaceParams(**{name: value}), name) == value


def test_boards_have_defaults():
    assert surface_for(ICF_BOARD) is ICF_SURFACE
    assert surface_for(HIKONE_BOARD) is HIKONE_SURFACE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("friction_men", 0.0),
        ("friction_striker", math.nan),
        ("friction_queen", -0.1),
        ("restitution_disc", 1.01),
        ("restitution_frame", "0.7"),
        ("rim_friction", True),
        ("rim_friction", None),
        ("gravity_mm_s2", 9.81),  # m/s^2
        ("capture_speed_mm_s", math.inf),
        ("v_sep_mm_s", 0.0),
    ],
)
def test_impossible_values_are_named(field, value):
    with pytest.raises(BoardError, match=field):
        SurfaceParams(**{field: value})


def test_vector_has_every_field_within_the_bounds():
    low, high = surface_bounds()
    for surface in (SurfaceParams(), OTHER):
        vector = surface_vector(surface)
        assert vector.shape == (SURFACE_COLUMNS,)
        assert ((low <= vector) & (vector <= high)).all()
    assert np.isinf(surface_vector(OTHER)).sum() == 1


@pytest.mark.parametrize("surface", [SurfaceParams(), OTHER])
def test_files_round_trip(tmp_path, surface):
    path = tmp_path / "board.toml"
    save_surface(surface, path)
    assert load_surface(path) == surface


def test_a_file_names_only_what_differs():
    assert surface_to_toml(SurfaceParams()) == "[surface]\n"
    assert surface_from_toml("") == SurfaceParams()


@pytest.mark.parametrize(
    ("text", "error", "match"),
    [
        ("[surface", SchemaError, "TOML"),
        ("[other]", SchemaError, "only the table"),
        ("surface = 1", SchemaError, "a table"),
        ("[surface]\nmu = 0.1", SchemaError, "unknown key"),
        ('[surface]\nrim_friction = "never"', SchemaError, "a number"),
        ("[surface]\nrim_friction = -1", BoardError, "rim_friction"),
    ],
)
def test_bad_files(text, error, match):
    with pytest.raises(error, match=match):
        surface_from_toml(text, where="x.toml")


def test_missing_file(tmp_path):
    with pytest.raises(SchemaError, match="readable file"):
        load_surface(tmp_path / "none.toml")
