"""MQTT against Debian's mosquitto, where it and aiomqtt are installed."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.outputs.mqtt import MqttBroker, MqttMissingError
from api.outputs.worker import Outputs, targets_of
from api.settings.tree import MqttSettings, OutputsSettings
from api.store.match_store import MatchStore
from api.table.event_log import MatchMeta, Row

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
HAVE = importlib.util.find_spec("aiomqtt") is not None
needs_broker = pytest.mark.skipif(
    not (HAVE and MOSQUITTO), reason="needs mosquitto and the extra `hall`"
)


@pytest.mark.skipif(HAVE, reason="aiomqtt is installed")
def test_a_broker_without_the_package_is_told() -> None:
    """With the command that brings it."""
    with pytest.raises(MqttMissingError, match="hall"):
        targets_of(OutputsSettings(mqtt=MqttSettings(host="broker")))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[MqttSettings]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    process = subprocess.Popen(
        [str(MOSQUITTO), "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(100):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield MqttSettings(host="127.0.0.1", port=port, hall="hall", board="7")
    process.terminate()
    process.wait(5)


async def listen(settings: MqttSettings, count: int) -> list[tuple[str, bytes, bool]]:
    aiomqtt: Any = importlib.import_module("aiomqtt")
    got: list[tuple[str, bytes, bool]] = []
    async with aiomqtt.Client(settings.host, settings.port) as client:
        await client.subscribe("carrom/#", qos=1)
        async with asyncio.timeout(10):
            async for message in client.messages:
                got.append((str(message.topic), message.payload, message.retain))
                if len(got) >= count:
                    break
    return got


@needs_broker
def test_a_hall_sees_state_and_status_of_its_boards(broker: MqttSettings, tmp_path: Path) -> None:
    """Whoever joins later too: both are retained. Events are not: the log has them."""
    store = MatchStore(f"sqlite:///{tmp_path / 'a.db'}")
    store.create(MatchMeta("m1", "icf", "", "2026-12-01T10:00:00Z", {}))
    store.append("m1", [Row(1, "match", '{"type":"x"}', "camera", "2026-12-01")])
    target = MqttBroker(broker)
    running = Outputs(store, [target], first_wait_s=0.05)
    running.show({"score": {"white": 7}})
    running.watch("m1")
    for _ in range(100):
        if store.delivered(target.name, "m1") == 1:
            break
        time.sleep(0.05)
    retained = {t: (p, r) for t, p, r in asyncio.run(listen(broker, 2))}
    assert retained["carrom/hall/7/status"] == (b"online", True)
    assert json.loads(retained["carrom/hall/7/state"][0]) == {"score": {"white": 7}}

    async def meanwhile() -> list[tuple[str, bytes, bool]]:
        listening = asyncio.create_task(listen(broker, 3))
        await asyncio.sleep(0.3)
        store.append("m1", [Row(2, "match", '{"type":"y"}', "camera", "2026-12-01")])
        running.changed()
        return await listening

    event = asyncio.run(meanwhile())[2]
    assert event[0] == "carrom/hall/7/event"
    assert json.loads(event[1])["id"] == "m1/2"
    running.close()
    after = {topic: data for topic, data, _ in asyncio.run(listen(broker, 2))}
    assert after["carrom/hall/7/status"] == b"offline"
    store.close()


@needs_broker
def test_a_broker_that_comes_later_gets_everything(tmp_path: Path) -> None:
    """The broker's machine is switched on last."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = MqttSettings(host="127.0.0.1", port=port)
    store = MatchStore(f"sqlite:///{tmp_path / 'a.db'}")
    store.create(MatchMeta("m1", "icf", "", "2026-12-01T10:00:00Z", {}))
    store.append("m1", [Row(n, "match", "{}", "camera", "2026-12-01") for n in (1, 2)])
    target = MqttBroker(settings)
    running = Outputs(store, [target], first_wait_s=0.05)
    running.watch("m1")
    time.sleep(0.2)
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen(
        [str(MOSQUITTO), "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            if store.delivered(target.name, "m1") == 2:
                break
            time.sleep(0.05)
        assert store.delivered(target.name, "m1") == 2
    finally:
        running.close()
        process.terminate()
        process.wait(5)
        store.close()
