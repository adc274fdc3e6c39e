"""What the protocol promises, asked of a real server."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import httpx
import numpy as np
import pytest

from tests.api.web.serving import Served, serving


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as one:
        yield one


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    with served.http() as client:
        yield client


def jpeg(width: int, height: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.zeros((height, width, 3), np.uint8))[1])


def test_snapshot_is_whole(http: httpx.Client) -> None:
    """A page begins with this one answer."""
    data = http.get("/api/table").json()
    assert {"rev", "seq", "match", "state", "table", "calls", "camera"} <= set(data)
    assert data["viewers"] == 0


def test_command_names_its_sender(served: Served, http: httpx.Client) -> None:
    """The log has to say who corrected."""
    seq = http.get("/api/table").json()["seq"]
    answer = http.post("/api/table/commands", json={"do": "call_time", "seq": seq})
    assert answer.status_code == 200
    assert answer.json()["seq"] == seq + 1
    assert served.table.told[-1]["actor"] == "referee@127.0.0.1"


def test_late_command_conflicts(http: httpx.Client) -> None:
    """Two umpires correct at once: the later one sees what he did not know."""
    answer = http.post("/api/table/commands", json={"do": "undo", "seq": 1})
    assert answer.status_code == 409
    body = answer.json()
    assert body["error"] == "conflict"
    assert body["seq"] >= 41
    assert body["since"][0]["call"]["en"]


def test_refused_command_says_why(http: httpx.Client) -> None:
    """Our errors are answers with a code and a sentence, not accidents."""
    answer = http.post("/api/table/commands", json={"do": "explode", "seq": 99999})
    assert answer.status_code == 400
    assert answer.json() == {
        "error": "match_error",
        "message": "a stroke that cannot be: explode",
    }


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[1]", 422),
        (b"not json", 422),
        (b'{"do": "mask", "seq": 99999, "x": NaN}', 400),
        (b'{"do": "mask", "seq": 99999, "x": 1e999}', 400),
        (b'{"do": "mask", "seq": 99999, "x": 1%s}' % (b"0" * 400), 400),
        (b'{"do": "seat_player", "seq": 99999, "seat": "S", "name": "\\ud800"}', 400),
        (b'{"do": "x", "a": %s%s}' % (b"[" * 60, b"]" * 60), 400),
        (b'{"do": "x", "a": %s%s}' % (b"[" * 90_000, b"]" * 90_000), 422),
        (b'{"do": "x", "a": "%s"}' % (b"a" * 5000), 400),
    ],
)
def test_spoilt_commands_are_refused(
    served: Served, http: httpx.Client, body: bytes, status: int
) -> None:
    """A number or a text that cannot be sent on would spoil the page of everybody."""
    told = len(served.table.told)
    answer = http.post(
        "/api/table/commands", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in (status, 400)
    assert answer.json()["message"]
    assert len(served.table.told) == told
    assert http.get("/api/table").status_code == 200


def test_unexpected_error_shows_no_traceback(served: Served, http: httpx.Client) -> None:
    """What goes wrong inside is for the log."""
    served.table.fails = ZeroDivisionError("secret inside")
    try:
        answer = http.post("/api/table/commands", json={"do": "undo", "seq": 99999})
    finally:
        served.table.fails = None
    assert answer.status_code == 500
    assert answer.json()["error"] == "internal"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "path",
    ["/api/strokes/99", "/api/strokes/99/replay", "/api/strokes/1/replay/77.jpg",
     "/api/strokes/1/clip.mp4", "/api/matches/zzz/export.json", "/matches/zzz/sheet",
     "/nothing", "/metrics", "/ca.crt", "/pages/nothing.js"],
)  # fmt: skip
def test_unknown_is_404_with_a_message(http: httpx.Client, path: str) -> None:
    """A page must tell "there is none" from "it broke"."""
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"


def test_strokes_and_replay(http: httpx.Client) -> None:
    """The correction screen lives on these."""
    number = http.get("/api/strokes").json()[0]["n"]
    assert http.get(f"/api/strokes/{number}").json()["outcome"]["seat"]
    frames = http.get(f"/api/strokes/{number}/replay").json()["frames"]
    still = http.get(frames[3]["jpeg"])
    assert still.headers["content-type"] == "image/jpeg"
    assert still.content[:2] == b"\xff\xd8"


def test_matches(served: Served, http: httpx.Client) -> None:
    """Begin, resume, remove, export."""
    assert [one["id"] for one in http.get("/api/matches").json()] == ["b2c4", "a001"]
    made = http.post("/api/matches", json={"rules": "icf", "players": {"S": "Asha"}})
    assert (made.status_code, made.json()) == (201, {"id": "new1"})
    assert http.post("/api/matches", json={}).status_code == 400
    assert http.post("/api/matches/a001/resume").status_code == 200
    assert served.table.told[-1] == {"resume": "a001"}
    assert http.delete("/api/matches/b2c4").status_code == 400
    assert http.delete("/api/matches/a001").status_code == 204
    sol = http.get("/api/matches/a001/export.sol")
    assert sol.content == b"sol of a001"
    assert "match-a001.sol" in sol.headers["content-disposition"]
    assert http.get("/matches/a001/sheet").headers["content-type"].startswith("text/html")


def test_calibrate(served: Served, http: httpx.Client) -> None:
    """Corners are four points, or nothing at all."""
    corners = [[0, 0], [10, 0], [10, 10], [0, 10]]
    assert http.post("/api/camera/calibrate", json={"corners_px": corners}).status_code == 200
    assert served.table.corners == ([(0, 0), (10, 0), (10, 10), (0, 10)], 0)
    assert http.post("/api/camera/calibrate", json={"turn": 1}).status_code == 200
    assert served.table.corners == (None, 1)
    assert http.post("/api/camera/calibrate").status_code == 200
    assert http.post("/api/camera/calibrate", json={"corners_px": corners[:3]}).status_code == 422
    assert http.post("/api/camera/calibrate", json={"turn": 9}).status_code == 422


def test_rules_come_from_the_registry(http: httpx.Client) -> None:
    """The first-run page offers what the referee really knows."""
    rows = {one["id"]: one for one in http.get("/api/rules").json()["rulesets"]}
    assert {"icf", "hikone", "carrom_se", "point_carrom_se"} <= set(rows)
    assert rows["hikone"]["options"]["striker_placement"]["values"] == [
        "area_line",
        "anywhere_in_area",
    ]
    assert rows["icf"]["players"] == [2, 4]


def test_phone_frame_arrives(served: Served, http: httpx.Client) -> None:
    """The picture as the phone sent it, not decoded on its way."""
    picture = jpeg(64, 48)
    headers = {"Content-Type": "image/jpeg", "X-Taken-Ms": "1700000000000"}
    assert http.post("/cam/frame", content=picture, headers=headers).status_code == 204
    assert served.table.pushed[-1] == picture


def test_pages_are_served(http: httpx.Client) -> None:
    """Every route of the pages, and their modules with a type that browsers run."""
    for path in ("/", "/setup", "/tv", "/obs", "/pad", "/cam", "/matches", "/settings",
                 "/pair", "/stroke/3"):  # fmt: skip
        answer = http.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["content-type"].startswith("text/html")
    module = http.get("/pages/screens/table.js")
    assert module.headers["content-type"].startswith("text/javascript")
    assert http.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_health(http: httpx.Client) -> None:
    """Monitors ask these."""
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json()["ready"] is True


def test_not_ready_is_503() -> None:
    """A monitor must see what is missing."""
    with (
        serving(ready=lambda: {"camera": False}, metrics=lambda: "carrom_up 1\n") as one,
        one.http() as http,
    ):
        answer = http.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["parts"]["camera"] is False
        assert http.get("/metrics").text == "carrom_up 1\n"
