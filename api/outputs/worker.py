"""The one thread of the outputs: brings what the log holds to every target, in order, for ever.

What a target has had is remembered beside the log: a broker that is away for an hour, or a restart,
loses nothing and repeats at most the event that was on its way.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog

from api.outputs.delivery import DeliveryError, Message, Outbox, Session, Target, message_of
from api.outputs.mqtt import MqttBroker
from api.outputs.webhook import Webhook
from api.settings.tree import OutputsSettings
from api.store.store_error import StoreError
from api.table.event_log import Row

__all__ = ["Outputs", "targets_of"]

_FIRST_S, _LONGEST_S = 1.0, 300.0
_BATCH = 50
_LOG = structlog.get_logger(__name__)

Describe = Callable[[str, Row], Mapping[str, Any] | None]


def targets_of(settings: OutputsSettings) -> tuple[Target, ...]:
    """Who is to be told. Raises ``MqttMissingError``."""
    hooks: list[Target] = [Webhook(name, hook) for name, hook in settings.webhooks.items()]
    if settings.mqtt.host:
        hooks.append(MqttBroker(settings.mqtt))
    return tuple(hooks)


class Outputs:
    """Delivers in the background. Every method may be called from any thread and returns at once.

    ``describe``: adds to the message of a row (called on the worker's thread). ``first_wait_s``:
    the wait after the first failure; it doubles up to five minutes.
    """

    def __init__(
        self,
        outbox: Outbox,
        targets: Sequence[Target],
        *,
        describe: Describe | None = None,
        first_wait_s: float = _FIRST_S,
    ) -> None:
        self._outbox, self._targets, self._describe = outbox, tuple(targets), describe
        self._first_wait_s = first_wait_s
        self._matches: dict[str, None] = {}
        self._state: bytes | None = None
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: list[asyncio.Event] = []
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        if self._targets:
            self._thread = threading.Thread(target=self._work, name="outputs", daemon=True)
            self._thread.start()
            self._ready.wait(5.0)

    def watch(self, match_id: str) -> None:
        """Deliver this match from now on, and what is left of it from before."""
        self._matches[match_id] = None
        self._ring()

    def changed(self) -> None:
        """The log has new rows."""
        self._ring()

    def show(self, state: Mapping[str, Any]) -> None:
        """The table as it is now; only the latest counts."""
        data = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
        if data != self._state:
            self._state = data
            self._ring()

    def close(self, timeout_s: float = 2.0) -> None:
        """Stop within this time. What was not delivered is, after the next start."""
        self._closing = True
        self._ring()
        if self._thread is not None:
            self._thread.join(timeout_s)
            self._thread = None

    def _ring(self) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(self._ring_all)
            except RuntimeError:
                self._loop = None  # it has ended

    def _ring_all(self) -> None:
        for bell in self._bells:
            bell.set()

    def _work(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._bells = [asyncio.Event() for _ in self._targets]
        self._ready.set()
        async with asyncio.TaskGroup() as group:
            for target, bell in zip(self._targets, self._bells, strict=True):
                group.create_task(self._serve(target, bell))

    async def _serve(self, target: Target, bell: asyncio.Event) -> None:
        """One target, until the end; a failure is waited out."""
        wait_s = self._first_wait_s
        while not self._closing:
            told = [0]
            try:
                async with target.session() as session:
                    await self._deliver(target, session, bell, told)
            except DeliveryError as error:
                _LOG.warning("not delivered", target=target.name, reason=error.reason)
            except StoreError as error:
                _LOG.error("the outbox cannot be read", target=target.name, reason=str(error))
            wait_s = self._first_wait_s if told[0] else min(2 * wait_s, _LONGEST_S)
            await self._pause(bell, wait_s * random.uniform(0.5, 1.0))  # noqa: S311 - no secret

    async def _pause(self, bell: asyncio.Event, wait_s: float) -> None:
        """New events do not shorten it, closing does."""
        end_s = asyncio.get_running_loop().time() + wait_s
        while not self._closing:
            left_s = end_s - asyncio.get_running_loop().time()
            if left_s <= 0:
                return
            bell.clear()
            try:
                await asyncio.wait_for(bell.wait(), left_s)
            except TimeoutError:
                return

    async def _deliver(
        self, target: Target, session: Session, bell: asyncio.Event, told: list[int]
    ) -> None:
        """Everything there is, then whenever there is more; ``told`` counts what arrived."""
        shown: bytes | None = None
        lost = asyncio.ensure_future(session.lost())
        try:
            while not self._closing:
                bell.clear()
                for match_id in tuple(self._matches):
                    await self._catch_up(target, session, match_id, told)
                if self._state is not None and self._state != shown:
                    shown = self._state
                    await session.show(shown)
                    told[0] += 1
                rung = asyncio.ensure_future(bell.wait())
                await asyncio.wait({rung, lost}, return_when=asyncio.FIRST_COMPLETED)
                rung.cancel()
                if lost.done():
                    lost.result()
                    raise DeliveryError(target.name, "the line has ended", again=True)
        finally:
            lost.cancel()

    async def _catch_up(
        self, target: Target, session: Session, match_id: str, told: list[int]
    ) -> None:
        seq = self._outbox.delivered(target.name, match_id)
        while rows := self._outbox.rows_after(match_id, seq, _BATCH):
            for row in rows:
                if self._closing:
                    return
                await self._send(target, session, self._message(match_id, row))
                seq = row.seq
                self._outbox.note_delivered(target.name, match_id, seq)
                told[0] += 1

    def _message(self, match_id: str, row: Row) -> Message:
        more = None if self._describe is None else self._describe(match_id, row)
        return message_of(match_id, row, more)

    async def _send(self, target: Target, session: Session, message: Message) -> None:
        try:
            await session.send(message)
        except DeliveryError as error:
            if error.again:
                raise
            _LOG.warning("refused", target=target.name, event_id=message.id, reason=error.reason)
