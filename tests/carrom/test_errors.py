"""One error tree, drawn in its docstring."""

from __future__ import annotations

import inspect

from carrom import errors
from carrom.errors import CarromError, SchemaError


def test_every_error_is_in_the_tree_and_in_the_drawing() -> None:
    """Who catches CarromError catches all; the drawing is what people read."""
    assert errors.__doc__ is not None
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), CarromError)
        assert name in errors.__doc__
    defined = {n for n, cls in inspect.getmembers(errors, inspect.isclass)}
    assert defined == set(errors.__all__)


def test_a_format_error_says_where_expected_and_got() -> None:
    """Field, expected, got: in every message."""
    assert (
        str(SchemaError("a.b", expected="a number", got="x")) == "a.b: expected a number, got 'x'"
    )
