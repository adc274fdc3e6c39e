"""An address that may hold a password, and how it is shown without."""

from __future__ import annotations

import re

from pydantic import Secret

__all__ = ["Address", "hidden", "holds_password"]

_CREDENTIALS = re.compile(r"(?P<scheme>[a-zA-Z][\w+.-]*://)(?P<who>[^/\s?#]*)@")
_QUERY = re.compile(r"(?P<key>[?&][\w.~-]+=)[^&#\s\"'<>]+")


def hidden(text: str) -> str:
    """The text with users, passwords and the values of queries of all addresses in it hidden.

    Values behind ``?`` are hidden only where an address is: many cameras take keys there.
    """
    if "://" not in text:
        return text
    return _QUERY.sub(r"\g<key>…", _CREDENTIALS.sub(r"\g<scheme>…@", text))


def holds_password(text: str) -> bool:
    """Whether something would be hidden."""
    return hidden(text) != text


class Address(Secret[str]):
    """Text such as ``rtsp://user:password@host/``; printed and logged without the password."""

    def _display(self) -> str:
        return hidden(self.get_secret_value())
