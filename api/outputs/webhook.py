"""Events posted to a web address, signed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.client import HTTPException, HTTPMessage
from typing import IO

from api.outputs.delivery import DeliveryError, Message, Session
from api.settings.tree import WebhookSettings

__all__ = ["Webhook", "signature"]

_TIMEOUT_S = 5.0
_ANSWER_BYTES = 4096
_TRY_AGAIN = frozenset({408, 425, 429})


def signature(secret: str, at: str, data: bytes) -> str:
    """What stands in ``X-Carrom-Signature``: HMAC-SHA256 over time, a dot and the body."""
    return "sha256=" + hmac.new(secret.encode(), at.encode() + b"." + data, "sha256").hexdigest()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A hook that moves must be told to us, or anybody on the way could have the events."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: HTTPMessage, newurl: str,
    ) -> None:  # fmt: skip
        return None


class Webhook:
    """One address. Each event is one POST; 2xx means it has arrived.

    A refusal (4xx but 408, 425, 429) is not repeated, everything else is.
    """

    def __init__(
        self, name: str, settings: WebhookSettings, clock: Callable[[], float] = time.time
    ) -> None:
        self._url = settings.url.get_secret_value()
        self._secret = settings.secret.get_secret_value()
        self._name, self._clock = name, clock
        self._opener = urllib.request.build_opener(_NoRedirects)

    @property
    def name(self) -> str:
        """The name in the settings and a mark of the address: another address gets all anew."""
        return f"webhook {self._name} {hashlib.sha256(self._url.encode()).hexdigest()[:8]}"

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Nothing to open: each event goes by itself."""
        yield self

    async def send(self, message: Message) -> None:
        """Post one event."""
        await asyncio.to_thread(self._post, message)

    async def show(self, state: bytes) -> None:
        """Hooks get events only."""

    async def lost(self) -> None:
        """There is no line to lose."""
        await asyncio.Event().wait()

    def _post(self, message: Message) -> None:
        at = str(int(self._clock()))
        headers = {
            "Content-Type": "application/json", "User-Agent": "carrom-umpire",
            "Idempotency-Key": message.id, "X-Carrom-Timestamp": at,
        }  # fmt: skip
        if self._secret:
            headers["X-Carrom-Signature"] = signature(self._secret, at, message.data)
        try:
            request = urllib.request.Request(  # noqa: S310 - the settings take http(s) only
                self._url, data=message.data, headers=headers, method="POST"
            )
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                answer.read(_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            error.close()
            again = error.code >= 500 or error.code in _TRY_AGAIN
            moved = "; it redirects, which is not followed" if 300 <= error.code < 400 else ""
            raise DeliveryError(self.name, f"answers {error.code}{moved}", again=again) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise DeliveryError(self.name, f"no answer: {reason}", again=True) from None
