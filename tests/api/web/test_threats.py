"""One test for each threat that a table in a network meets (docs/security.md)."""

from __future__ import annotations

import json
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from websockets.exceptions import InvalidStatus

from api.web.pairing_desk import PairingDesk
from api.web.roles import Role
from api.web.serve import serve
from api.web.serve_error import ServeError
from api.web.web_settings import WebSettings
from tests.api.web.fake_table import FakeTable
from tests.api.web.serving import Served, serving

JSON = {"Content-Type": "application/json"}
COMMAND = {"do": "call_time", "seq": 99999}


@pytest.fixture(scope="module")
def local() -> Iterator[Served]:
    with serving(WebSettings(http_port=0, max_pairings_per_min=3)) as one:
        yield one


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("table")
    settings = WebSettings(http_port=0, https_port=0, lan=True, data_folder=folder)
    with serving(settings, more_names=["table.test"]) as one:
        yield one


SECRET_PATHS = (
    "/api/table", "/api/live", "/api/strokes", "/snapshot.jpg", "/stream.mjpg", "/api/matches",
    "/api/settings", "/api/cameras", "/api/pairing", "/metrics",
)  # fmt: skip


class Device:
    """Another device in the network: by TLS, under a name that is not this machine's own."""

    def __init__(self, served: Served, folder: Path, port: int) -> None:
        context = ssl.create_default_context(cafile=str(folder / "table_ca.crt"))
        self.base = f"https://127.0.0.1:{port}"
        self.host = {"Host": f"table.test:{port}"}
        self.origin = f"https://table.test:{port}"
        self.http = httpx.Client(
            base_url=self.base, verify=context, trust_env=False, timeout=10, headers=self.host
        )
        self.context = context

    def pair(self, token: str) -> httpx.Response:
        answer = self.http.post("/api/pair", json={"token": token})
        cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        if cookie:
            self.http.headers["Cookie"] = cookie
        return answer


@pytest.fixture
def ports(lan: Served) -> tuple[Path, int]:
    with lan.http() as http:
        pairing = http.get("/api/pairing").json()
        assert pairing["lan"] is True
    web = lan.web
    assert web.settings.data_folder is not None
    return web.settings.data_folder, web.settings.https_port


@pytest.fixture
def device(lan: Served, ports: tuple[Path, int]) -> Iterator[Device]:
    one = Device(lan, *ports)
    with one.http:
        yield one


def token(lan: Served, role: Role) -> str:
    return lan.web.pairing.new_token(role)


# -- open port


def test_other_addresses_need_lan() -> None:
    """Nobody opens a table to a network by accident, without encryption."""
    with pytest.raises(ServeError, match="--lan"):
        serve(FakeTable(), host="0.0.0.0", settings=WebSettings(http_port=0))


def test_strangers_get_nothing(device: Device) -> None:
    """Without being paired: the pages' shells, and not one fact."""
    assert device.http.get("/pair").status_code == 200
    for path in SECRET_PATHS:
        assert device.http.get(path).status_code == 401, path
    assert device.http.post("/api/table/commands", json=COMMAND).status_code == 401
    assert device.http.post("/cam/frame", content=b"x").status_code == 401


def test_plain_port_shows_the_way_only(lan: Served) -> None:
    """What comes without TLS from another device gets the certificate, never the game."""
    port = lan.url.rpartition(":")[2]
    away = {"Host": f"table.test:{port}", "Accept-Language": "sv-SE,en"}
    with lan.http(headers=away, follow_redirects=False) as http:
        page = http.get("/")
        assert "Öppna bordet" in page.text
        assert "https://table.test:" in page.text
        authority = http.get("/ca.crt")
        assert authority.content.startswith(b"-----BEGIN CERTIFICATE-----")
        assert b"PRIVATE" not in authority.content
        assert http.get("/api/table").status_code == 307
        assert http.get("/api/table").headers["location"].startswith("https://table.test:")
        assert http.post("/api/table/commands", json=COMMAND).status_code == 403
    with pytest.raises(InvalidStatus):
        lan.socket(name="table.test")


def test_proxied_requests_are_not_local(lan: Served) -> None:
    """Behind a proxy on this machine everybody comes from 127.0.0.1."""
    with lan.http(headers={"X-Forwarded-For": "203.0.113.9"}) as http:
        assert http.get("/api/table", follow_redirects=False).status_code == 307


# -- roles


def test_roles(lan: Served, device: Device) -> None:
    """A viewer looks on, a camera sends, a referee decides; nobody does more."""
    assert device.pair(token(lan, Role.VIEWER)).json() == {"role": "viewer"}
    assert device.http.get("/api/table").status_code == 200
    assert device.http.post("/api/table/commands", json=COMMAND).status_code == 403
    assert device.http.post("/api/camera", json={"source": "phone"}).status_code == 403
    assert device.http.post("/cam/frame", content=b"x").status_code == 403
    assert device.http.get("/api/settings").status_code == 403
    roles = {row["role"] for row in device.http.get("/api/pairing").json()["addresses"]}
    assert roles <= {"viewer"}

    assert device.pair(token(lan, Role.CAMERA)).json() == {"role": "camera"}
    assert device.http.get("/api/table").status_code == 403
    picture = bytes(cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))[1])
    sent = device.http.post("/cam/frame", content=picture, headers={"Content-Type": "image/jpeg"})
    assert sent.status_code == 204

    assert device.pair(token(lan, Role.REFEREE)).json() == {"role": "referee"}
    assert device.http.post("/api/table/commands", json=COMMAND).status_code == 200
    assert lan.table.told[-1]["actor"] == "referee@127.0.0.1"


def test_token_works_once(lan: Served, device: Device) -> None:
    """Whoever photographs the umpire's code later gets nothing."""
    once = token(lan, Role.REFEREE)
    assert device.pair(once).status_code == 200
    assert device.pair(once).status_code == 401
    assert device.pair("guess").status_code == 401


def test_cookie_is_out_of_reach(lan: Served, device: Device) -> None:
    """Scripts cannot read it, other sites cannot send it, plain http never sees it."""
    cookie = device.pair(token(lan, Role.VIEWER)).headers["set-cookie"]
    assert cookie.startswith("__Host-carrom=")
    for part in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert part in cookie


def test_leaving_and_sending_away(lan: Served, device: Device) -> None:
    """A lost phone is sent away by the referee."""
    device.pair(token(lan, Role.VIEWER))
    assert device.http.get("/api/table").status_code == 200
    with lan.http() as http:
        assert http.delete("/api/pairing").status_code == 204
    assert device.http.get("/api/table").status_code == 401
    device.pair(token(lan, Role.VIEWER))
    assert device.http.delete("/api/pair").status_code == 204
    assert device.http.get("/api/table").status_code == 401


def test_only_hashes_are_kept(tmp_path: Path) -> None:
    """Whoever reads the disk cannot come in; a restart keeps devices paired."""
    file = tmp_path / "paired.json"
    desk = PairingDesk(file)
    paired = desk.pair(desk.new_token(Role.REFEREE))
    assert paired is not None
    assert paired[1] not in file.read_text("utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert PairingDesk(file).role_of(paired[1]) is Role.REFEREE
    file.write_text("{damaged")
    assert PairingDesk(file).role_of(paired[1]) is None


def test_tokens_and_devices_grow_old() -> None:
    """A code that was shown yesterday lets nobody in."""
    now = [0.0]
    desk = PairingDesk(clock=lambda: now[0])
    old = desk.new_token(Role.CAMERA)
    paired = desk.pair(desk.new_token(Role.VIEWER))
    assert paired is not None
    now[0] = 901.0
    assert desk.pair(old) is None
    assert desk.role_of(paired[1]) is Role.VIEWER
    now[0] = 31 * 24 * 3600.0
    assert desk.role_of(paired[1]) is None


def test_guessing_is_slow(local: Served) -> None:
    """Tokens are not to be tried out."""
    with local.http() as http:
        answers = [http.post("/api/pair", json={"token": f"guess{i}"}) for i in range(5)]
    assert [one.status_code for one in answers[:3]] == [401, 401, 401]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["retry-after"] == "60"


# -- other sites in the same browser


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.9.8.7", ""])
def test_dns_rebinding(local: Served, host: str) -> None:
    """A name of theirs that leads to us is not ours: over HTTP and for WebSockets."""
    with local.http(headers={"Host": host}) as http:
        assert http.get("/api/table").status_code == 400
        assert http.get("/").status_code == 400


def test_dns_rebinding_of_sockets(local: Served) -> None:
    """Starlette itself looks at no host of a WebSocket."""
    with pytest.raises(InvalidStatus) as refused:
        local.socket(name="evil.example")
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_sockets_of_other_sites(local: Served, origin: str) -> None:
    """Browsers let every page open a WebSocket to everywhere."""
    with pytest.raises(InvalidStatus) as refused:
        local.socket(origin=origin)
    assert refused.value.response.status_code == 403


def test_own_socket_is_let_in(local: Served) -> None:
    """The check must not lock our own page out."""
    with local.socket(origin=local.url) as socket:
        assert socket.recv(timeout=10)


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}],
)  # fmt: skip
def test_posts_of_other_sites(local: Served, headers: dict[str, str]) -> None:
    """On this machine no cookie is needed, so the origin decides."""
    told = len(local.table.told)
    with local.http(headers=headers) as http:
        assert http.post("/api/table/commands", json=COMMAND).status_code == 403
        assert http.delete("/api/camera").status_code == 403
    assert len(local.table.told) == told


def test_pictures_are_not_embedded_elsewhere(local: Served) -> None:
    """Another site shows no picture of this table; a link to it still opens it."""
    away = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    with local.http() as http:
        assert http.get("/snapshot.jpg", headers=away).status_code == 403
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert http.get("/", headers=link).status_code == 200
        answer = http.get("/snapshot.jpg")
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in answer.headers


def test_every_answer_is_guarded(local: Served) -> None:
    """Pages, data, errors and refusals carry the same strict headers."""
    with local.http() as http:
        answers = [http.get(path) for path in ("/", "/obs", "/api/table", "/nothing")]
        answers.append(http.get("/", headers={"Host": "evil.example"}))
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "evil" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_pages_hold_nothing_inline() -> None:
    """The policy has no exceptions, so the pages may need none."""
    for page in WebSettings().pages_folder.glob("*.html"):
        text = page.read_text("utf-8")
        assert "style=" not in text, page.name
        assert "onclick" not in text, page.name
        assert "http://" not in text.replace("http://www.w3.org", ""), page.name
        assert "https://" not in text, page.name


# -- uploads and exhaustion


def test_large_bodies_by_what_they_say(local: Served) -> None:
    """Refused before a byte of it is read."""
    with local.http() as http:
        answer = http.post("/api/table/commands", content=b"x" * 300_000, headers=JSON)
        assert answer.status_code == 413
        frame = http.post("/cam/frame", content=b"x" * 7_000_000)
        assert frame.status_code == 413


def test_large_bodies_while_they_come(local: Served) -> None:
    """A chunked body says nothing of its size."""

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    with local.http() as http:
        answer = http.post("/api/table/commands", content=endless(), headers=JSON)
    assert answer.status_code == 413


def test_picture_bombs(local: Served) -> None:
    """The size stands in the header of a JPEG: nothing is decoded to learn it."""
    small = bytes(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1])
    at = small.index(b"\xff\xc0") + 5
    bomb = small[:at] + (60_000).to_bytes(2, "big") * 2 + small[at + 4 :]
    kind = {"Content-Type": "image/jpeg"}
    pushed = len(local.table.pushed)
    with local.http() as http:
        assert http.post("/cam/frame", content=bomb, headers=kind).status_code == 413
        assert http.post("/cam/frame", content=b"GIF89a", headers=kind).status_code == 400
        assert http.post("/cam/frame", content=b"", headers=kind).status_code == 400
        assert http.post("/cam/frame", content=small[:20], headers=kind).status_code == 400
        assert http.post("/cam/frame", content=small).status_code == 415
    assert len(local.table.pushed) == pushed


def test_pictures_too_often() -> None:
    """One phone must not take the whole machine."""
    small = bytes(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1])
    with (
        serving(WebSettings(http_port=0, max_frames_per_s=1)) as served,
        served.http(headers={"Content-Type": "image/jpeg"}) as http,
    ):
        answers = [http.post("/cam/frame", content=small).status_code for _ in range(14)]
    assert answers[0] == 204
    assert answers[-1] == 429


# -- files


@pytest.mark.parametrize(
    "path", ["/pages/../application.py", "/pages/%2e%2e/application.py", "/pages/..%2fserve.py",
             "/pages//etc/passwd", "/pages/%00", "/pages/"],
)  # fmt: skip
def test_only_pages_are_served(local: Served, path: str) -> None:
    """No way out of the folder of the pages."""
    with local.http() as http:
        answer = http.get(httpx.URL(local.url).copy_with(raw_path=path.encode()))
    assert answer.status_code == 404
    assert b"import" not in answer.content


def test_invitation_keeps_tokens_out_of_requests(lan: Served) -> None:
    """What follows # reaches no server, no proxy and no log."""
    with lan.http() as http:
        rows = http.get("/api/pairing").json()["addresses"]
    assert all("#" in row["url"] and "?" not in row["url"] for row in rows)
    assert all(row["qr"].startswith("<svg") for row in rows)
    assert json.dumps(rows).count("script") == 0
