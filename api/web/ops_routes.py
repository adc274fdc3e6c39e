"""For those who watch the server rather than the game."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Response

from api.web.access import Looking, WebOf
from api.web.error_answers import PlainAnswer

__all__ = ["router"]

router = APIRouter(tags=["ops"])


@router.get("/healthz")
def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
def readyz(web: WebOf) -> PlainAnswer:
    """Everything that a table needs is in order; 503 and what is not."""
    parts = {} if web.ready is None else dict(web.ready())
    parts["live"] = web.hub.moment is not None
    in_order = all(parts.values())
    return PlainAnswer({"ready": in_order, "parts": parts}, 200 if in_order else 503)


@router.get("/metrics", dependencies=[Looking], response_class=Response)
def metrics(web: WebOf) -> Response:
    """Figures in Prometheus' text format."""
    if web.metrics is None:
        raise HTTPException(404, "no metrics are kept")
    return Response(web.metrics(), media_type="text/plain; version=0.0.4; charset=utf-8")
