"""The live connection, and the ways in for those who cannot have it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, WebSocket, WebSocketDisconnect
from fastapi.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from api.web.access import Looking, WebOf, is_allowed
from api.web.live_hub import LiveHub, Moment, Want
from api.web.live_viewer import LiveViewer
from api.web.picture_encoder import FramePictures, PictureSize
from api.web.roles import Role

__all__ = ["router"]

router = APIRouter(tags=["live"])
_SEND_S = 10.0
_GOING_AWAY, _POLICY, _FULL = 1001, 1008, 1013
_BOUNDARY = b"carrom-frame"


@router.websocket("/ws/live")
async def live(
    socket: WebSocket,
    web: WebOf,
    codec: Annotated[str, Query(pattern="^(jpeg|h264)$")] = "jpeg",
    size: Annotated[str, Query(pattern="^(full|960)$")] = "full",
) -> None:
    """The live connection (``docs/protocol.md``, Live)."""
    if not is_allowed(socket, web, Role.VIEWER):
        await socket.close(_POLICY)
        return
    await socket.accept()
    if not web.hub.may_join():
        await socket.close(_FULL, "too many viewers")
        return
    want: Want = "h264" if codec == "h264" else "960" if size == "960" else "full"
    with web.hub.viewing(want):
        code, why = await _serve(socket, LiveViewer(want, web.hub), web.settings.silent_viewer_s)
    with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        await asyncio.wait_for(socket.close(code, why), 1.0)


async def _serve(socket: WebSocket, viewer: LiveViewer, silent_s: float) -> tuple[int, str]:
    answered = asyncio.Event()
    listening = asyncio.create_task(_listen(socket, viewer, answered))
    sending = asyncio.create_task(_send(socket, viewer, answered, silent_s))
    both = {listening, sending}
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        return next(iter(done)).result()
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)


async def _listen(
    socket: WebSocket, viewer: LiveViewer, answered: asyncio.Event
) -> tuple[int, str]:
    try:
        while viewer.acknowledge(await socket.receive_text()):
            answered.set()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return _GOING_AWAY, ""
    return _POLICY, 'expected {"ack": seq}'


async def _send(
    socket: WebSocket, viewer: LiveViewer, answered: asyncio.Event, silent_s: float
) -> tuple[int, str]:
    hub = viewer.hub
    try:
        while not hub.is_closed:
            while not viewer.has_room:
                answered.clear()
                await asyncio.wait_for(answered.wait(), silent_s)
            moment = await hub.next(viewer.stamp, 30.0)
            if moment is not None:
                await asyncio.wait_for(socket.send_bytes(viewer.message(moment)), _SEND_S)
    except TimeoutError:
        return _POLICY, "nothing was acknowledged"
    except (WebSocketDisconnect, RuntimeError):
        pass
    return _GOING_AWAY, ""


@router.get("/api/live", dependencies=[Looking], response_class=Response)
async def poll(web: WebOf, after: Annotated[int, Query(ge=-1)] = -1) -> Response:
    """Wait until the snapshot is another one than ``after`` (at most 20 s): for browsers that
    refuse the live connection. Pictures come from ``/snapshot.jpg`` then."""
    if web.polls.locked():
        raise HTTPException(503, "too many viewers")
    async with web.polls:
        moment = await _changed(web.hub, after, web.settings.poll_s)
    if moment is None:
        return Response(status_code=204)
    return Response(_poll_json(web.hub, moment, after), media_type="application/json")


async def _changed(hub: LiveHub, after: int, timeout_s: float) -> Moment | None:
    """The newest moment once its snapshot is another one, or as it is when time is over."""
    loop, moment, stamp = asyncio.get_running_loop(), None, 0
    ends = loop.time() + timeout_s
    while (left := ends - loop.time()) > 0 and not hub.is_closed:
        moment = await hub.next(stamp, left) or moment
        if moment is not None:
            stamp = moment.stamp
            if _is_fresh(moment, after):
                break
    return moment


def _is_fresh(moment: Moment, after: int) -> bool:
    return after <= 0 or moment.rev != after


def _poll_json(hub: LiveHub, moment: Moment, after: int) -> bytes:
    fresh = _is_fresh(moment, after)
    said = hub.said_after_rev(after) if after > 0 and fresh else []
    return b'{"seq":%d,"t_s":%.3f,"table":%s,"snapshot":%s,"say":[%s]}' % (
        moment.seq,
        moment.t_s,
        moment.table_json,
        moment.snapshot_json if fresh else b"null",
        b",".join(one.json for one in said),
    )


@router.get("/snapshot.jpg", dependencies=[Looking], response_class=Response)
async def still(web: WebOf, size: PictureSize = "full") -> Response:
    """The newest picture of the camera; 404 without one."""
    moment = web.hub.moment
    if moment is None or moment.pictures is None:
        raise HTTPException(404, "no camera is open")
    jpeg = await asyncio.to_thread(moment.pictures.jpeg, size)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


class PatientStream(StreamingResponse):
    """A stream without an end, whose reader is given up when he reads nothing for a while."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; returns when the reader has gone or was given up."""

        async def send_in_time(message: Message) -> None:
            await asyncio.wait_for(send(message), _SEND_S)

        with suppress(TimeoutError):
            await super().__call__(scope, receive, send_in_time)


@router.get("/stream.mjpg", dependencies=[Looking], response_class=Response)
async def stream(
    web: WebOf,
    size: PictureSize = "full",
    fps: Annotated[float, Query(gt=0, le=60)] = 15.0,
) -> Response:
    """The pictures of the camera as multipart JPEG, for players that know nothing else."""
    if not web.hub.may_join():
        raise HTTPException(503, "too many viewers")
    kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY.decode()}"
    return PatientStream(_parts(web.hub, size, fps), media_type=kind)


async def _parts(hub: LiveHub, size: PictureSize, fps: float) -> AsyncIterator[bytes]:
    loop, stamp = asyncio.get_running_loop(), 0
    shown: FramePictures | None = None
    with hub.viewing(size):
        yield b"--" + _BOUNDARY + b"\r\n"
        while not hub.is_closed:
            began = loop.time()
            moment = await hub.next(stamp, 30.0)
            if moment is None:
                continue
            stamp = moment.stamp
            if moment.pictures is None or moment.pictures is shown:
                continue
            shown = moment.pictures
            jpeg = shown.jpeg(size)
            head = b"Content-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
            yield head + jpeg + b"\r\n--" + _BOUNDARY + b"\r\n"
            await asyncio.sleep(max(0.0, 1.0 / fps - (loop.time() - began)))
