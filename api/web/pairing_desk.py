"""Devices that may come in: one-time tokens for codes to scan, cookies for those who used one.

Only hashes are kept, in memory and on disk. Random values of 128 bits and more need no slow hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from api.web.roles import Role

__all__ = ["PairingDesk"]

_TOKEN_LIFE_S = {Role.VIEWER: 12 * 3600.0, Role.REFEREE: 900.0, Role.CAMERA: 900.0}
_TOKEN_USES = {Role.VIEWER: 40, Role.REFEREE: 1, Role.CAMERA: 1}
"""One code on the screen lets a whole audience look on; the others let one device in."""
_MAX_TOKENS = 96
_MAX_DEVICES = 256
_MAX_SECRET_CHARS = 200
DEVICE_LIFE_S = 30 * 24 * 3600.0


@dataclass(slots=True)
class _Token:
    role: Role
    until_s: float
    uses: int


@dataclass(frozen=True, slots=True)
class _Device:
    role: Role
    until_s: float


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class PairingDesk:
    """Hands out tokens and takes them for cookies. Safe for several threads.

    ``file``: where paired devices are remembered (mode 0600); ``None``: until the end only.
    """

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._file, self._clock = file, clock
        self._lock = threading.Lock()
        self._tokens: dict[str, _Token] = {}
        self._devices: dict[str, _Device] = self._read()

    def new_token(self, role: Role) -> str:
        """A token for a code to scan; the oldest goes when there are too many."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._forget_old()
            while len(self._tokens) >= _MAX_TOKENS:
                del self._tokens[next(iter(self._tokens))]
            until_s = self._clock() + _TOKEN_LIFE_S[role]
            self._tokens[_hash(token)] = _Token(role, until_s, _TOKEN_USES[role])
        return token

    def pair(self, token: str) -> tuple[Role, str] | None:
        """The role and the cookie of a new device; ``None`` for a token that is not (any more)."""
        with self._lock:
            self._forget_old()
            key = _find(self._tokens, token)
            if key is None:
                return None
            entry = self._tokens[key]
            entry.uses -= 1
            if entry.uses <= 0:
                del self._tokens[key]
            while len(self._devices) >= _MAX_DEVICES:
                del self._devices[next(iter(self._devices))]
            cookie = secrets.token_urlsafe(32)
            self._devices[_hash(cookie)] = _Device(entry.role, self._clock() + DEVICE_LIFE_S)
            self._write()
            return entry.role, cookie

    def role_of(self, cookie: str | None) -> Role | None:
        """What a paired device may do."""
        if not cookie:
            return None
        with self._lock:
            key = _find(self._devices, cookie)
            device = None if key is None else self._devices[key]
        return device.role if device is not None and device.until_s > self._clock() else None

    def forget(self, cookie: str | None = None) -> None:
        """Send one device away, or all of them, and void every token that was not used."""
        with self._lock:
            if cookie is None:
                self._devices.clear()
                self._tokens.clear()
            elif (key := _find(self._devices, cookie)) is not None:
                del self._devices[key]
            self._write()

    def _forget_old(self) -> None:
        now = self._clock()
        self._tokens = {k: v for k, v in self._tokens.items() if v.until_s > now}
        self._devices = {k: v for k, v in self._devices.items() if v.until_s > now}

    def _read(self) -> dict[str, _Device]:
        if self._file is None:
            return {}
        try:
            rows = json.loads(self._file.read_text("utf-8"))["devices"]
            return {str(r["hash"]): _Device(Role(r["role"]), float(r["until"])) for r in rows}
        except (OSError, ValueError, KeyError, TypeError):
            return {}  # a lost list only means that devices pair again

    def _write(self) -> None:
        if self._file is None:
            return
        rows = [
            {"hash": key, "role": device.role.value, "until": device.until_s}
            for key, device in self._devices.items()
        ]
        beside = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump({"devices": rows}, out)
            beside.replace(self._file)
        except OSError:
            pass  # read-only or full: devices stay paired until the end


def _find(known: Mapping[str, object], secret: str) -> str | None:
    if len(secret) > _MAX_SECRET_CHARS:
        return None
    asked, found = _hash(secret), None
    for key in known:
        if hmac.compare_digest(key, asked):
            found = key
    return found
