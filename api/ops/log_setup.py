"""Where log lines go and how they look; no password gets into them."""

from __future__ import annotations

import logging
import logging.handlers
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from api.settings.address import hidden
from api.settings.tree import LogSettings

__all__ = ["about", "hide_credentials", "set_up_logs"]

_FILE_BYTES, _FILES = 2_000_000, 5
_SECRET_NAMES = ("password", "secret", "token", "cookie", "authorization")
_LIBRARIES = ("alembic", "sqlalchemy", "aiomqtt", "mqtt", "asyncio", "httpx", "PIL")


def set_up_logs(
    settings: LogSettings, folder: Path, stream: TextIO | None = None
) -> tuple[Callable[[], None], str | None]:
    """Send this program's and its libraries' log to ``stream`` (default: standard error) and, if
    so set, into ``folder``.

    On a terminal lines are for people, else one JSON object each; ``match`` and ``camera`` stand on
    every line once ``about`` has named them. Returns what closes it again, and why there is no
    file, if it could not be opened: a read-only disk stops no match.
    """
    out = sys.stderr if stream is None else stream
    terminal = settings.json_lines == "never" or (settings.json_lines == "auto" and out.isatty())
    handlers: list[logging.Handler] = [logging.StreamHandler(out)]
    handlers[0].setFormatter(_formatter(json_lines=not terminal, colours=out.isatty()))
    trouble = None
    if settings.file:
        try:
            handlers.append(_file(folder))
        except OSError as error:
            trouble = f"no log file: {folder}: {error.strerror}"
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers[:] = handlers
    root.setLevel(settings.level.upper())
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )

    def close() -> None:
        root.handlers[:] = before
        root.setLevel(level)
        for handler in handlers[1:]:
            handler.close()
        structlog.reset_defaults()
        structlog.contextvars.clear_contextvars()

    return close, trouble


def about(**names: str | None) -> None:
    """Put names (``match``, ``camera``, ``board``) on every line of this thread or task from now
    on; ``None`` takes one off."""
    gone = [name for name, value in names.items() if value is None]
    structlog.contextvars.unbind_contextvars(*gone)
    structlog.contextvars.bind_contextvars(
        **{name: value for name, value in names.items() if value is not None}
    )


def hide_credentials(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """Addresses without users and passwords, values with telling names masked, at any depth."""
    return {name: _clean(name, value) for name, value in line.items()}


def _clean(name: str, value: Any) -> Any:
    if any(word in name.lower() for word in _SECRET_NAMES) and isinstance(value, str | bytes):
        return "********" if value else value
    if isinstance(value, str):
        return hidden(value)
    if isinstance(value, Mapping):
        return {key: _clean(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean("", item) for item in value]
    return value


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _formatter(*, json_lines: bool, colours: bool) -> logging.Formatter:
    """Credentials are hidden last of all, when a traceback is text already."""
    last: list[Processor]
    if json_lines:
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
        last = [structlog.processors.format_exc_info, hide_credentials, renderer]
    else:
        plain = structlog.dev.plain_traceback
        renderer_ = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain)
        last = [structlog.processors.format_exc_info, hide_credentials, renderer_]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_shared(),
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )


def _file(folder: Path) -> logging.Handler:
    folder.mkdir(parents=True, exist_ok=True)
    handler = logging.handlers.RotatingFileHandler(
        folder / "carrom.log", maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8"
    )
    handler.setFormatter(_formatter(json_lines=True, colours=False))
    return handler
