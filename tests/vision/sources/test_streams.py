"""Network cameras: what they give, what happens when they do not, and what is told of them."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from carrom.errors import SourceError, SourceTimeoutError
from tests.vision.sources.clips import clip
from vision.sources.address import public_address
from vision.sources.streams import NetworkStream


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """An HTTP camera with three seconds of video."""
    data = clip(tmp_path / "a.ts", frames=90).read_bytes()

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = data if self.path.startswith("/cam.ts") else b"not a video" * 40
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Camera)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_http_stream(served: str) -> None:
    """Frames come to the end; neither id nor name gives the password away."""
    source = NetworkStream(f"http://asha:secret@{served}/cam.ts?key=hidden")
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    source.close()
    assert 10 < len(frames) <= 90  # what FFmpeg looked at to open it is not shown late
    assert source.info.live
    for text in (source.info.id, source.info.name):
        assert "secret" not in text
        assert "hidden" not in text
        assert served in text


def test_wrong_answer(served: str) -> None:
    """A web page instead of a video is told as that, without the password."""
    with pytest.raises(SourceError) as raised:
        NetworkStream(f"http://asha:secret@{served}/page")
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


def test_silent_host_times_out() -> None:
    """A host that takes the call and says nothing must not hold the match up."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        with pytest.raises(SourceTimeoutError) as raised:
            NetworkStream(f"http://u:secret@127.0.0.1:{port}/", open_s=0.2, read_s=0.2)
    assert "secret" not in str(raised.value)


def test_refused() -> None:
    """Nobody there: an error that names the host."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(SourceError, match=str(port)) as raised:
        NetworkStream(f"rtsp://u:secret@127.0.0.1:{port}/cam", open_s=0.5, read_s=0.5)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://u:p@cam.local:554/live?ch=1&pw=x", "rtsp://cam.local:554/live?ch=…&pw=…"),
        ("HTTPS://Cam/", "https://cam/"),
        ("rtsp://[fe80::1]:8554/a", "rtsp://[fe80::1]:8554/a"),
        ("rtsp://u:p@ss@cam/a", "rtsp://cam/a"),
    ],
)
def test_public_address(address: str, shown: str) -> None:
    """What is shown tells which camera, and no secret."""
    assert public_address(address) == shown


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "concat://a|b", "rtsp://", "rtsp://h:99999/", "gopher://h/"],
)
def test_addresses_that_are_refused(address: str) -> None:
    """Nothing but network cameras is opened from an address."""
    with pytest.raises(SourceError):
        public_address(address)
