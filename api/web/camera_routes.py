"""Cameras: choose, calibrate, and a phone that sends its pictures."""

from __future__ import annotations

from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Body, Header, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from api.web.access import Refereeing, Sending, WebOf
from api.web.camera_choice import check_camera_choice
from api.web.error_answers import PlainAnswer
from api.web.jpeg_header import jpeg_size
from api.web.plain_data import check_plain

__all__ = ["router"]

router = APIRouter(tags=["camera"])
Px = Annotated[float, Field(ge=-20_000, le=20_000, allow_inf_nan=False)]


class CameraChoice(BaseModel):
    """``usb:ID``, ``rtsp://…``, ``http://…``, ``phone`` or ``virtual``."""

    model_config = ConfigDict(extra="forbid")
    source: str = Field(min_length=1, max_length=500)


class Corners(BaseModel):
    """Four corners of the playing surface in px of the picture, or nothing: by itself."""

    model_config = ConfigDict(extra="ignore")
    corners_px: list[tuple[Px, Px]] | None = Field(default=None, min_length=4, max_length=4)
    turn: int = Field(default=0, ge=-3, le=3)


@router.get("/api/cameras", dependencies=[Refereeing])
def cameras(web: WebOf) -> PlainAnswer:
    """Cameras that can be chosen."""
    return PlainAnswer(web.table.cameras())


@router.post("/api/camera", dependencies=[Refereeing], status_code=202)
def choose(web: WebOf, choice: CameraChoice) -> PlainAnswer:
    """Use a source; the snapshot tells how it went."""
    check_plain(choice.source)
    web.table.open_camera(check_camera_choice(choice.source))
    return PlainAnswer({"source": choice.source.partition("://")[0][:40]}, 202)


@router.delete("/api/camera", dependencies=[Refereeing], status_code=204)
def let_go(web: WebOf) -> None:
    """Let go of the source."""
    web.table.close_camera()


@router.post("/api/camera/calibrate", dependencies=[Refereeing])
def calibrate(web: WebOf, corners: Annotated[Corners | None, Body()] = None) -> PlainAnswer:
    """Find the board again, or take it to be at these corners; ``turn`` turns it by quarters."""
    corners = corners or Corners()
    web.table.calibrate(corners.corners_px, turn=corners.turn)
    return PlainAnswer({"camera": web.table.snapshot().get("camera")})


@router.post("/cam/frame", dependencies=[Sending], status_code=204)
async def frame(
    request: Request, web: WebOf, x_taken_ms: Annotated[float | None, Header()] = None
) -> None:
    """One JPEG from a phone. Its size is read from its header before it is decoded."""
    if not web.frame_rate.allow():
        raise HTTPException(429, "too many pictures a second", {"Retry-After": "1"})
    if request.headers.get("content-type", "").partition(";")[0].strip() != "image/jpeg":
        raise HTTPException(415, "expected image/jpeg")
    jpeg = await request.body()
    width, height = jpeg_size(jpeg, "picture of the phone")
    if width * height > web.settings.max_frame_pixels:
        most = web.settings.max_frame_pixels // 1_000_000
        raise HTTPException(413, f"{width} x {height} px: at most {most} megapixels")
    taken = x_taken_ms if x_taken_ms is not None and abs(x_taken_ms) < 1e15 else None
    await anyio.to_thread.run_sync(lambda: web.table.push_frame(jpeg, taken_ms=taken))
