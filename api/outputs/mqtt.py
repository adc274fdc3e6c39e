"""Events to an MQTT broker: one hall sees all its boards. Needs the extra ``hall`` (aiomqtt).

Topics below ``carrom/<hall>/<board>``: ``event`` (one message an event), ``state`` (retained, the
latest), ``status`` (retained, ``online``; the broker says ``offline`` when the board is gone).
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from api.outputs.delivery import DeliveryError, Message, Session
from api.settings.tree import MqttSettings
from carrom.errors import CarromError

__all__ = ["MqttBroker", "MqttMissingError"]

_KEEPALIVE_S, _TIMEOUT_S = 20, 5.0


class MqttMissingError(CarromError):
    """The settings name a broker, and the package to speak with it is not installed."""


class MqttBroker:
    """One broker. Raises ``MqttMissingError`` without aiomqtt."""

    def __init__(self, settings: MqttSettings) -> None:
        try:
            self._library: Any = importlib.import_module("aiomqtt")
        except ImportError as error:
            raise MqttMissingError(
                "outputs.mqtt.host is set, and aiomqtt is missing: "
                "pip install 'carrom-umpire[hall]'"
            ) from error
        self._settings = settings
        self._root = f"carrom/{settings.hall}/{settings.board}"

    @property
    def name(self) -> str:
        """Broker and topic."""
        return f"mqtt {self._settings.host}:{self._settings.port} {self._root}"

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Connect; say ``offline`` on the way out."""
        library, settings = self._library, self._settings
        will = library.Will(f"{self._root}/status", b"offline", qos=1, retain=True)
        client = library.Client(
            settings.host, settings.port, will=will, keepalive=_KEEPALIVE_S, timeout=_TIMEOUT_S,
            username=settings.username or None,
            password=settings.password.get_secret_value() or None,
            tls_params=library.TLSParameters() if settings.tls else None,
        )  # fmt: skip
        try:
            async with client:
                line = _Line(client, self._root, self.name, library.MqttError)
                await line.publish("status", b"online", retain=True)
                try:
                    yield line
                finally:
                    await client.publish(f"{self._root}/status", b"offline", qos=1, retain=True)
        except (library.MqttError, OSError) as error:
            raise DeliveryError(self.name, str(error) or "no answer", again=True) from None


class _Line:
    """A connected client."""

    def __init__(self, client: Any, root: str, name: str, error: type[Exception]) -> None:
        self._client, self._root, self._name, self._error = client, root, name, error

    async def publish(self, topic: str, data: bytes, *, retain: bool) -> None:
        """Arrived at the broker when it returns (QoS 1)."""
        try:
            await self._client.publish(f"{self._root}/{topic}", data, qos=1, retain=retain)
        except self._error as error:
            raise DeliveryError(self._name, str(error), again=True) from None

    async def send(self, message: Message) -> None:
        """One event."""
        await self.publish("event", message.data, retain=False)

    async def show(self, state: bytes) -> None:
        """The table now, for whoever joins later too."""
        await self.publish("state", state, retain=True)

    async def lost(self) -> None:
        """Nothing is subscribed to: reading ends only when the line does."""
        try:
            async for _ in self._client.messages:
                pass
        except self._error as error:
            raise DeliveryError(self._name, str(error), again=True) from None
