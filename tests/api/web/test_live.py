"""The live connection: newest only, one encoding for all, nobody holds anybody up."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import av
import cv2
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from api.web.web_settings import WebSettings
from tests.api.web.fake_table import FakeTable
from tests.api.web.serving import Served, serving


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as one:
        yield one


def receive(socket: ClientConnection) -> tuple[dict[str, Any], bytes]:
    """One message, taken apart as the page does."""
    message = socket.recv(timeout=10)
    assert isinstance(message, bytes)
    (length,) = struct.unpack(">I", message[:4])
    return json.loads(message[4 : 4 + length]), message[4 + length :]


def answer(socket: ClientConnection, seq: int) -> None:
    socket.send(json.dumps({"ack": seq}))


def closing_code(socket: ClientConnection) -> int | None:
    """Read to the end; why the server closed."""
    try:
        while True:
            socket.recv(timeout=5)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def until(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if condition():
            return True
        time.sleep(0.01)
    return False


def test_first_message_is_whole(served: Served) -> None:
    """Table, snapshot and the picture of the same frame come together."""
    with served.socket() as socket:
        data, picture = receive(socket)
    assert data["snapshot"]["match"]["id"] == "b2c4"
    assert data["table"]["discs"]
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (720, 1280, 3)


def test_snapshot_only_when_changed(served: Served) -> None:
    """Thirty snapshots a second would drown a phone."""
    with served.socket() as socket:
        first, _ = receive(socket)
        answer(socket, first["seq"])
        served.table.step()
        second, _ = receive(socket)
        answer(socket, second["seq"])
        assert "snapshot" not in second
        served.table.change({"id": "7.1", "text": {"en": "Foul."}, "chime": "foul"})
        third, _ = receive(socket)
        assert third["snapshot"]["rev"] > first["snapshot"]["rev"]
        assert third["say"] == [{"id": "7.1", "text": {"en": "Foul."}, "chime": "foul"}]


def test_two_in_flight_then_the_newest(served: Served) -> None:
    """A slow viewer gets fewer pictures, never older ones; what was said is not lost."""
    with served.socket() as socket:
        first, _ = receive(socket)
        served.table.step()
        second, _ = receive(socket)
        served.table.change({"id": "8.1", "text": {"en": "Foul."}, "chime": None})
        for _ in range(5):
            served.table.step()
        with pytest.raises(TimeoutError):
            socket.recv(timeout=0.3)
        answer(socket, first["seq"])
        third, _ = receive(socket)
        assert third["seq"] >= second["seq"] + 6
        assert [one["id"] for one in third["say"]] == ["8.1"]


def test_size_960(served: Served) -> None:
    """Phones get smaller pictures."""
    with served.socket("?size=960") as socket:
        _, picture = receive(socket)
        if not picture:
            _, picture = receive(socket)
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[:2] == (540, 960)


def test_without_a_camera_there_is_no_picture() -> None:
    """Manual play is complete: the same connection, without pictures."""
    with serving(table=FakeTable(camera=False)) as one, one.socket() as socket:
        data, picture = receive(socket)
        assert picture == b""
        assert data["snapshot"]["camera"]["state"] == "none"
        with one.http() as http:
            assert http.get("/snapshot.jpg").status_code == 404


def test_any_number_of_viewers_costs_one_encoding(served: Served) -> None:
    """The machine has two cores and a referee to run."""
    encoded = []
    real = cv2.imencode

    def counted(*arguments: Any) -> Any:
        encoded.append(1)
        return real(*arguments)

    with ExitStack() as stack:
        sockets = [stack.enter_context(served.socket()) for _ in range(4)]
        for socket in sockets:
            data, _ = receive(socket)
            answer(socket, data["seq"])
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(cv2, "imencode", counted)
        served.table.step()
        pictures = {receive(socket)[1] for socket in sockets}
    assert len(pictures) == 1
    assert len(encoded) == 1


def test_one_place_at_the_table_for_all(served: Served) -> None:
    """Viewers are the server's business: the table knows one subscriber."""
    with served.socket() as one, served.socket() as two:
        receive(one)
        receive(two)
        assert served.table.subscribers == 1


def test_silent_viewer_is_sent_away() -> None:
    """Somebody who never reads holds nobody up, and his place is free again."""
    settings = WebSettings(http_port=0, silent_viewer_s=0.3)
    with serving(settings) as served, served.socket() as silent, served.socket() as other:
        receive(silent)
        data, _ = receive(other)
        for _ in range(4):
            answer(other, data["seq"])
            served.table.step()
            data, _ = receive(other)
        answer(other, data["seq"])
        assert closing_code(silent) == 1008
        served.table.step()
        assert receive(other)[0]["seq"] > data["seq"]


@pytest.mark.parametrize("text", ["nonsense", '{"ack": "x"}', "[]", '{"ack": true}', "x" * 5000])
def test_nonsense_closes(served: Served, text: str) -> None:
    """Only acknowledgements come from viewers; long messages are not even read."""
    with served.socket() as socket:
        receive(socket)
        socket.send(text)
        assert closing_code(socket) in (1008, 1009)


def test_cap_on_viewers() -> None:
    """One more than the machine can serve is told so."""
    with serving(WebSettings(http_port=0, max_viewers=1)) as served, served.socket() as first:
        receive(first)
        with served.socket() as second:
            assert closing_code(second) == 1013
        with served.http() as http:
            assert http.get("/stream.mjpg").status_code == 503


def test_video_decodes(served: Served) -> None:
    """H.264 for weak links: the first unit with a picture can be decoded by itself."""
    decoder: Any = av.CodecContext.create("h264", "r")
    shapes = []
    with served.socket("?codec=h264") as socket:
        for _ in range(8):
            data, unit = receive(socket)
            assert data["codec"] == "h264"
            if unit:
                shapes += [(f.width, f.height) for f in decoder.decode(av.Packet(unit))]
            answer(socket, data["seq"])
            served.table.step()
    shapes += [(f.width, f.height) for f in decoder.decode(None)]
    assert len(shapes) >= 5
    assert set(shapes) == {(1280, 720)}


def test_poll_waits_for_a_change(served: Served) -> None:
    """iPhones refuse wss with a certificate that was only clicked through."""
    with served.http() as http:
        served.table.change({"id": "1.1", "text": {"en": "Before."}, "chime": None})
        assert until(lambda: http.get("/api/live", params={"after": 0}).json()["snapshot"]["rev"])
        first = http.get("/api/live", params={"after": 0}).json()
        assert first["say"] == []
        rev = first["snapshot"]["rev"]
        same = http.get("/api/live", params={"after": rev}).json()
        assert same["snapshot"] is None
        assert same["table"]["discs"]
        served.table.change({"id": "9.1", "text": {"en": "Foul."}, "chime": None})
        news = http.get("/api/live", params={"after": rev}).json()
        assert news["snapshot"]["rev"] == rev + 1
        assert [one["id"] for one in news["say"]] == ["9.1"]


def test_mjpeg_goes_on(served: Served) -> None:
    """Players that know nothing else get part after part."""
    with served.http() as http, http.stream("GET", "/stream.mjpg") as stream:
        assert stream.headers["content-type"].startswith("multipart/x-mixed-replace")
        got = b""
        for chunk in stream.iter_bytes():
            got += chunk
            if got.count(b"Content-Type: image/jpeg") >= 2:
                break
            served.table.step()


def test_server_ends_with_everything_open() -> None:
    """Ctrl-C within three seconds, whatever still looks on."""
    with serving() as served, served.socket() as socket, served.http() as http:
        receive(socket)
        with http.stream("GET", "/stream.mjpg") as stream:
            next(stream.iter_bytes())
            served.stop()
            served.thread.join(6)
            assert not served.thread.is_alive()


def test_viewers_are_counted_and_leave(served: Served) -> None:
    """The page shows how many look on."""
    with served.http() as http:
        with served.socket() as socket:
            receive(socket)
            assert http.get("/api/table").json()["viewers"] == 1
        assert until(lambda: http.get("/api/table").json()["viewers"] == 0)
