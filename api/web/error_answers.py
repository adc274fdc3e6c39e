"""Errors as answers: a code for programs, a sentence for people, never how it came about."""

from __future__ import annotations

import logging
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from api.settings.address import hidden
from api.store.store_error import StoreError
from api.table.conflict import ConflictError
from api.web.plain_data import to_json
from carrom.errors import CarromError

__all__ = ["add_error_answers", "code_of"]

_log = logging.getLogger(__name__)
_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_CODES = {
    400: "invalid",
    401: "unpaired",
    403: "forbidden",
    404: "not_found",
    405: "not_allowed",
    413: "too_large",
    415: "wrong_kind",
    429: "too_often",
    503: "busy",
}


class PlainAnswer(JSONResponse):
    """JSON that can be written whatever the data holds of numpy or odd text."""

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return to_json(content)


def code_of(error: CarromError) -> str:
    """``MatchError`` is ``match_error``."""
    return _WORD.sub("_", type(error).__name__).lower()


def add_error_answers(app: FastAPI) -> None:
    """Every error of the routes leaves as the protocol says."""
    app.add_exception_handler(ConflictError, _conflict)
    app.add_exception_handler(CarromError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _conflict(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ConflictError)
    body = {"error": "conflict", "message": str(error), "seq": error.seq, "since": error.since}
    return PlainAnswer(body, 409)


def _ours(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CarromError)
    status = 503 if isinstance(error, StoreError) else 400
    body = {"error": code_of(error), "message": hidden(str(error))}
    return PlainAnswer(body, status)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fields = [
        {"where": ".".join(str(part) for part in one["loc"]), "message": str(one["msg"])}
        for one in error.errors()[:20]
    ]
    first = f"{fields[0]['where']}: {fields[0]['message']}" if fields else "not as expected"
    return PlainAnswer({"error": "invalid", "message": first, "fields": fields}, 422)


def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "refused")
    body = {"error": code, "message": str(error.detail)}
    return PlainAnswer(body, error.status_code, headers=dict(error.headers or {}))


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    _log.error("%s %s: %s", request.method, request.url.path, type(error).__name__)
    message = "something went wrong here; the server's log says what"
    return PlainAnswer({"error": "internal", "message": message}, 500)
