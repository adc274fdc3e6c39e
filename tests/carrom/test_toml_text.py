"""Files that people write by hand: whatever is wrong is said with the file's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrom.errors import SchemaError
from carrom.toml_text import parse_toml, read_text


@pytest.mark.parametrize(
    "text", ["a = ", "a = " + "1" * 5000, "a = " + "[" * 100_000], ids=["broken", "huge", "deep"]
)
def test_what_is_no_toml_names_the_place(text: str) -> None:
    """Huge numbers and deep nesting are other exceptions in the parser than a wrong letter."""
    with pytest.raises(SchemaError, match=r"home\.toml: expected TOML"):
        parse_toml(text, "home.toml")


def test_a_text_that_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    """A missing file, a folder, and one in another encoding."""
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "bräde"'.encode("latin-1"))
    for path in (tmp_path / "none.toml", tmp_path, latin):
        with pytest.raises(SchemaError, match="expected a readable file") as caught:
            read_text(path)
        assert caught.value.where == str(path)
