"""What can be checked of the pages without a browser: words, boards, vendored files, modules."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.pages.page_server import PAGES

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LANGUAGES = ("en", "ja", "sv", "hi")
ENTRY = re.compile(r'^  ("[^"]+"): (.+),$')
NAMES = re.compile(r"\{(\w+)\}")
LITERAL = re.compile(r"""\bt\(\s*["']([a-z][\w.]*)["']""")
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://")
PLURALS = {
    "en": {"one", "other"},
    "ja": {"other"},
    "sv": {"one", "other"},
    "hi": {"one", "other"},
}


def catalogue(language: str) -> dict[str, dict[str, str]]:
    """Texts by key; a plain text stands under ``""``."""
    found = {}
    for line in (PAGES / "lang" / f"{language}.js").read_text(encoding="utf-8").splitlines():
        if match := ENTRY.match(line):
            value = re.sub(r"([{,] )(\w+):", r'\1"\2":', match[2])
            text = json.loads(match[2] if match[2].startswith('"') else value)
            found[json.loads(match[1])] = {"": text} if isinstance(text, str) else text
    return found


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_languages_have_the_same_keys_and_names(language: str) -> None:
    """A missing key shows a code to a player; a missing name loses a number."""
    english, other = catalogue("en"), catalogue(language)
    assert list(english) == list(other)
    for key, forms in english.items():
        wanted = set(NAMES.findall("".join(forms.values())))
        for text in other[key].values():
            assert set(NAMES.findall(text)) == wanted, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_those_of_the_language(language: str) -> None:
    """A plural that the language does not have is never chosen, a missing one shows nothing."""
    for key, forms in catalogue(language).items():
        assert set(forms) in ({""}, PLURALS[language]), key
        assert all(text.strip() for text in forms.values()), key


def test_translations_are_no_copies() -> None:
    """A sentence that reads the same in two languages was forgotten."""
    english = catalogue("en")
    for language in LANGUAGES[1:]:
        other = catalogue(language)
        same = [english[k].get("", "") for k in english if english[k] == other[k]]
        assert [text for text in same if len(NAMES.sub("", text)) > 10] == []


def modules() -> list[Path]:
    """The pages' own modules."""
    return sorted(p for p in PAGES.rglob("*.js") if p.parts[-2] not in {"vendor", "lang"})


def test_every_key_in_the_modules_exists() -> None:
    """Keys written out in full must be in the catalogue."""
    english = catalogue("en")
    used = {key for path in modules() for key in LITERAL.findall(path.read_text("utf-8"))}
    assert used
    assert sorted(used - set(english)) == []


def test_pages_need_nothing_inline() -> None:
    """The policy forbids inline scripts, style attributes, eval and foreign hosts."""
    for path in PAGES.glob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://", text), (
            path
        )
    for path in modules():
        text = path.read_text("utf-8")
        assert not re.search(r"\beval\(|new Function\(|innerHTML", text), path
        for target in re.findall(r"""(?:from|import)\s*\(?["']([^"']+)["']""", text):
            assert (path.parent / target).resolve().is_file(), (path, target)
        assert len(text.splitlines()) < 400, path


@pytest.mark.parametrize("folder", [PAGES / "vendor", HERE / "vendor"])
def test_vendored_files_are_those_of_the_list(folder: Path) -> None:
    """What is not ours must be known: version, licence and sum of every file."""
    rows = re.findall(
        r"\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|", (folder / "VENDOR.md").read_text()
    )
    for name, digest in rows:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
    scripts = {path.name for path in folder.glob("*.js")}
    assert scripts == {name for name, _ in rows}


def test_drawn_boards_are_those_of_the_laws() -> None:
    """The pages' boards are written from carrom.boards; run scripts/page_boards if this fails."""
    command = [sys.executable, str(ROOT / "scripts" / "page_boards"), "--print"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == (PAGES / "board" / "standard_boards.js").read_text("utf-8")


@pytest.mark.parametrize("name", ["live", "geometry", "words"])
def test_pure_modules(name: str) -> None:
    """The modules' own tests, by node where there is one."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    done = subprocess.run(
        [node, "--test", str(HERE / "js" / f"{name}.test.mjs")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:]
