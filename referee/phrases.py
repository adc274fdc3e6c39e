"""The umpire's words: message catalogues by language and family of rulesets.

Catalogues are ``phrases/*.toml``: texts under ``[common.*]``, which the tables of a family
(``[icf.*]``, ``[hikone.*]`` ...) override. A text is a string, or ``one`` and ``other`` where the
number matters. Texts under ``term`` fill their own names in every other text of the family.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources

from carrom.errors import FormatError
from carrom.pieces import PieceKind
from referee.laws import Laws, Ruleset
from referee.ruling import Ruling

__all__ = ["Family", "Language", "Phrases", "family_of", "load_phrases"]

COMMON = "common"


class Language(StrEnum):
    """The languages that the umpire speaks. ``Language("xx")`` raises ``FormatError``."""

    ENGLISH = "en"
    JAPANESE = "ja"
    SWEDISH = "sv"
    HINDI = "hi"

    @classmethod
    def _missing_(cls, value: object) -> Language:
        known = ", ".join(member.value for member in cls)
        raise FormatError("language", expected=f"one of {known}", got=value)


class Family(StrEnum):
    """Rulesets that share their words."""

    HIKONE = "hikone"
    GAMERULES = "gamerules"
    CARROM_SE = "carrom_se"
    ICF = "icf"


_FAMILIES: Mapping[Ruleset, Family] = {
    Ruleset.HIKONE: Family.HIKONE,
    Ruleset.GAMERULES: Family.GAMERULES,
    Ruleset.CARROM_SE: Family.CARROM_SE,
    Ruleset.ICF: Family.ICF,
    Ruleset.POINT_GAMERULES: Family.GAMERULES,
    Ruleset.POINT_CARROM_SE: Family.CARROM_SE,
}
_BY_CLAUSE = (  # ICF last: its Law 44 is cited in all Indian rulesets
    (("HK-", "HL-"), Family.HIKONE),
    (("GR-",), Family.GAMERULES),
    (("SE-", "SB-", "PT-1"), Family.CARROM_SE),
    (("PT-",), Family.GAMERULES),
    (("ICF-",), Family.ICF),
)


def family_of(ruling: Ruling, laws: Laws | None) -> Family | None:
    """The family whose words fit: that of the laws, else of the clauses and pieces of the ruling;
    ``None`` if they do not tell."""
    if laws is not None:
        return _FAMILIES[laws.ruleset]
    if PieceKind.JACK in ruling.on_board or PieceKind.RED in ruling.on_board:
        return Family.HIKONE
    for prefixes, family in _BY_CLAUSE:
        if any(clause.startswith(prefixes) for clause in ruling.clauses):
            return family
    return None


@dataclass(frozen=True, slots=True)
class _Text:
    """One text; ``one`` is used for the number 1."""

    other: str
    one: str


class Phrases:
    """The texts of one language in the words of one family."""

    def __init__(self, texts: Mapping[str, _Text]) -> None:
        self._texts = texts
        self._terms = {
            key.removeprefix("term."): text.other
            for key, text in texts.items()
            if key.startswith("term.")
        }

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def say(self, key: str, *, count: int | None = None, **fields: str) -> str:
        """The text with its names filled in; ``count`` chooses the form and fills ``{n}``."""
        text = self._texts[key]
        if count is not None:
            fields["n"] = self.number(count)
        return (text.one if count == 1 else text.other).format(**self._terms, **fields)

    def number(self, count: int) -> str:
        """A small number as a word, where the language counts in words."""
        text = self._texts.get(f"number.{count}")
        return str(count) if text is None else text.other

    def series(self, items: Iterable[str]) -> str:
        """``a, b and c``."""
        *rest, last = items
        if not rest:
            return last
        listed = self.say("text.list_sep").join(rest)
        return listed + self.say("text.list_last") + last

    def sentence(self, text: str, clauses: Iterable[str] = ()) -> str:
        """A full sentence, with the clauses in brackets at its end."""
        cited = self.say("text.clause_sep").join(dict.fromkeys(clauses))
        text = text[:1].upper() + text[1:]
        if not cited:
            return self.say("text.plain", text=text)
        return self.say("text.sentence", text=text, clauses=cited)

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other."""
        return self.say("text.gap").join(sentences)


@functools.cache
def load_phrases(language: Language, family: Family | None) -> Phrases:
    """The phrases of a language, the family's words over the common ones."""
    tables = _catalogue(language)
    return Phrases({**tables[COMMON], **(tables.get(family, {}) if family else {})})


@functools.cache
def _catalogue(language: Language) -> dict[str, dict[str, _Text]]:
    path = resources.files("referee").joinpath(f"phrases/{language.value}.toml")
    data = tomllib.loads(path.read_text("utf-8"))
    return {
        name: {
            f"{group}.{key}": _Text(value, value)
            if isinstance(value, str)
            else _Text(value["other"], value["one"])
            for group, texts in groups.items()
            for key, value in texts.items()
        }
        for name, groups in data.items()
    }
