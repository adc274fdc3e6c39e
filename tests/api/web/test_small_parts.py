"""Parts without a server: pictures' headers, plain data, limits, policies, a viewer's window."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.web.content_policy import content_policy
from api.web.jpeg_header import jpeg_size
from api.web.live_hub import LiveHub, Moment
from api.web.live_viewer import LiveViewer
from api.web.picture_encoder import FramePictures, VideoEncoder, VideoUnit
from api.web.plain_data import check_plain, to_json
from api.web.rate_limit import RateLimit
from carrom.errors import PictureError, SchemaError
from tests.api.web.fake_table import FakeTable


@given(st.integers(1, 300), st.integers(1, 300), st.booleans())
def test_jpeg_size_is_the_decoders(width: int, height: int, grey: bool) -> None:
    """What the header says is what decoding would give."""
    shape = (height, width) if grey else (height, width, 3)
    data = bytes(cv2.imencode(".jpg", np.zeros(shape, np.uint8))[1])
    assert jpeg_size(data) == (width, height)


@given(st.binary(max_size=400))
def test_jpeg_size_survives_anything(data: bytes) -> None:
    """Hostile bytes are refused, whatever they are, and never loop."""
    with pytest.raises(PictureError):
        jpeg_size(b"\xff\xd8" + data.replace(b"\xff\xc0", b"").replace(b"\xff\xc1", b"")
                  .replace(b"\xff\xc2", b""))  # fmt: skip


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-10**9, 10**9) | st.floats(-1e9, 1e9) | st.text(
        st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=3),
    max_leaves=10))  # fmt: skip
def test_plain_data_passes(data: object) -> None:
    """Whatever is JSON by its standard is taken, and can be sent on."""
    check_plain(data)
    assert to_json(data)


@pytest.mark.parametrize("data", [float("nan"), float("inf"), 10**400, "\ud800", {"\udfff": 1}])
def test_spoilt_data_is_named(data: object) -> None:
    """The message says where."""
    with pytest.raises(SchemaError, match="body"):
        check_plain({"a": [data]})


def test_numpy_becomes_plain() -> None:
    """The eyes speak numpy; a page does not."""
    assert to_json({"a": np.float32(0.5), "b": np.arange(3), "c": (1, 2)}) == (
        b'{"a":0.5,"b":[0,1,2],"c":[1,2]}'
    )


def test_rate_limit() -> None:
    """A burst, then so many a second, for each by itself; a flood of names does not fill memory."""
    now = [0.0]
    limit = RateLimit(2.0, 3.0, clock=lambda: now[0])
    assert [limit.allow("a") for _ in range(4)] == [True, True, True, False]
    assert limit.allow("b")
    now[0] = 0.5
    assert [limit.allow("a") for _ in range(2)] == [True, False]
    for number in range(3000):
        limit.allow(str(number))
    assert len(limit._buckets) <= 1000


def test_policy_knows_import_maps(tmp_path: Path) -> None:
    """A page may have an import map: its hash, and nothing else inline, is allowed."""
    text = '{"imports": {}}'
    (tmp_path / "a.html").write_text(f'<script type="importmap">{text}</script>')
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    policy = content_policy(tmp_path, "table.local:8443", secure=True)
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "connect-src 'self' wss://table.local:8443;" in policy
    assert "evil" not in content_policy(tmp_path, "x; script-src evil", secure=True)


def test_one_jpeg_a_size() -> None:
    """Encoding is the dearest thing here."""
    pictures = FramePictures(np.zeros((1080, 1920, 3), np.uint8))
    assert pictures.jpeg("full") is pictures.jpeg("full")
    assert jpeg_size(pictures.jpeg("960")) == (960, 540)
    assert pictures.encodings == 2


def test_video_begins_anew_with_another_size() -> None:
    """The camera turns: a new stream, from a key frame on; odd sizes too."""
    video = VideoEncoder()
    units = [
        video.encode(np.zeros((height, width, 3), np.uint8), 0.04 * number, key=False)
        for number, (width, height) in enumerate([(320, 241), (320, 241), (241, 321)])
    ]
    assert [unit is not None and unit.is_key for unit in units] == [True, False, True]
    asked = video.encode(np.zeros((321, 241, 3), np.uint8), 0.2, key=True)
    assert asked is not None
    assert asked.is_key


def moment(stamp: int, unit: VideoUnit | None) -> Moment:
    return Moment(stamp, stamp, 0.0, 1, b"{}", b"{}", None, unit)


def test_video_waits_for_a_key_after_a_gap() -> None:
    """Units that build on one that was left out would show garbage."""
    hub = LiveHub(FakeTable(), max_viewers=2)
    viewer = LiveViewer("h264", hub)
    units = [VideoUnit(n, n in (2, 6), b"unit%d" % n) for n in (1, 2, 3, 5, 6)]
    sent = [viewer.message(moment(n, unit)) for n, unit in enumerate(units, 1)]
    assert [message.endswith(unit.data) for message, unit in zip(sent, units, strict=True)] == [
        False, True, True, False, True,
    ]  # fmt: skip


def test_window_opens_with_acknowledgements() -> None:
    """The answer to a later message answers the earlier ones; strangers' numbers run out."""
    viewer = LiveViewer("full", LiveHub(FakeTable(), max_viewers=2))
    viewer.message(moment(1, None))
    viewer.message(moment(2, None))
    assert not viewer.has_room
    assert viewer.acknowledge('{"ack": 2}')
    assert viewer.has_room
    assert len(viewer.flying) == 0
    assert all(viewer.acknowledge('{"ack": 77}') for _ in range(99))
    assert not viewer.acknowledge('{"ack": 77}')
