"""The array type of this package."""

from typing import Any

from numpy.typing import NDArray

__all__ = ["Array"]

Array = NDArray[Any]
"""Any array; docstrings give shape, dtype, unit and frame."""
