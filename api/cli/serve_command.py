"""``carrom`` and ``carrom demo``: a table on a page, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from api.settings.places import Places, places
from api.settings.tree import Settings
from api.table.table_service import TableService
from api.web.serve import Running, serve
from api.web.web_settings import WebSettings

if TYPE_CHECKING:
    from api.ops.metrics import Metrics

__all__ = ["run", "run_demo"]

_DEMO_NAMES = {"S": "Asha", "N": "Bo", "E": "Chie"}
_MIB = 1024 * 1024


def run(
    *,
    source: str | None = None,
    host: str | None = None,
    port: int | None = None,
    lan: bool | None = None,
    browser: bool | None = None,
    started: Callable[[Running], None] | None = None,
) -> None:
    """Serve this machine's table; ``None``: as the settings say.

    ``source``: a camera, a stream, or a file of this machine. Raises ``CarromError`` for settings
    that cannot be read, a store in use, a port that is taken.
    """
    from api.ops.metrics import Metrics
    from api.outputs.table_news import TableNews
    from api.outputs.worker import Outputs, targets_of
    from api.settings.load import load_settings
    from api.store.clip_shelf import ClipShelf
    from api.store.match_store import MatchStore
    from api.store.store_address import clips_folder, store_url

    where = places()
    asked = {"host": host, "port": port, "lan": lan, "open_browser": browser}
    options = {key: value for key, value in asked.items() if value is not None}
    settings = load_settings(where, {"serve": options} if options else None)
    with ExitStack() as stack:
        console = stack.enter_context(_logging(settings, where))
        store = MatchStore(store_url(where, settings))
        stack.callback(store.close)
        for notice in store.notices:
            console.print(notice, style="yellow")
        shelf = ClipShelf(
            store,
            clips_folder(where, settings),
            quota_bytes=settings.store.quota_mib * _MIB,
            keep_days=settings.store.keep_days or None,
        )
        metrics = Metrics()
        targets = targets_of(settings.outputs)
        outputs = Outputs(store, targets)
        stack.callback(outputs.close)
        news = TableNews(outputs) if targets else None
        table = TableService(
            store, shelf=shelf, files=source is not None, meter=metrics, listener=news
        )
        stack.callback(table.close)
        if news is not None:
            news.changed(table.snapshot())
        chosen = source or settings.camera.source.get_secret_value()
        if chosen:
            table.open_camera(chosen)
        _serve(table, settings, where, console, started, metrics)


def run_demo(
    *,
    rules: str = "icf",
    clip: Path | None = None,
    virtual: bool = False,
    host: str | None = None,
    port: int | None = None,
    browser: bool | None = None,
    started: Callable[[Running], None] | None = None,
) -> None:
    """The same with a match of its own that is kept nowhere: a film as the camera, or, with
    ``virtual`` and where no film was shipped, the simulated table. Raises ``CarromError``."""
    from api.ops.bench_clip import shipped_clip
    from api.ops.metrics import Metrics
    from api.settings.load import load_settings
    from api.table.memory_log import MemoryLog
    from referee.ruleset_files import load_laws

    laws = load_laws(rules)
    where = places()
    asked = {"host": host, "port": port, "open_browser": browser, "lan": False}
    options = {key: value for key, value in asked.items() if value is not None}
    settings = load_settings(where, {"serve": options})
    seats = "SEN" if laws.ruleset.three_players else "SN"
    players = {seat: _DEMO_NAMES[seat] for seat in seats}
    film = None if virtual else clip or shipped_clip(laws.ruleset.value)
    with ExitStack() as stack:
        console = stack.enter_context(_logging(settings, where))
        metrics = Metrics()
        table = TableService(MemoryLog(), files=True, meter=metrics)
        stack.callback(table.close)
        table.new_match({"rules": rules, "players": players, "opener": "S", "title": "Demo"})
        simulated = f"virtual:{laws.ruleset.value}?players={len(players)}"
        table.open_camera(simulated if film is None else str(film))
        console.print("A demo: nothing of it is kept.")
        _serve(table, settings, where, console, started, metrics)


@contextmanager
def _logging(settings: Settings, where: Places) -> Iterator[Console]:
    from api.ops.log_setup import set_up_logs

    console = Console(highlight=False)
    close, trouble = set_up_logs(settings.log, where.logs)
    if trouble:
        console.print(trouble, style="yellow")
    try:
        yield console
    finally:
        close()


def _serve(
    table: TableService,
    settings: Settings,
    where: Places,
    console: Console,
    started: Callable[[Running], None] | None,
    metrics: Metrics,
) -> None:
    from api.web.stored_preferences import StoredPreferences

    def figures() -> bytes:
        snapshot = table.snapshot()
        metrics.camera(live=snapshot["camera"]["state"] == "live", frame_age_s=table.frame_age_s)
        metrics.viewers(snapshot["viewers"])
        return metrics.text()

    serve(
        table,
        host=settings.serve.host,
        settings=web_settings(settings, where),
        open_browser=settings.serve.open_browser,
        preferences=StoredPreferences(where, settings),
        metrics=figures,
        ready=lambda: _in_order(table.snapshot()["camera"]),
        say=lambda line: console.print(line, markup=False, soft_wrap=True),
        started=started,
    )


def web_settings(settings: Settings, where: Places) -> WebSettings:
    """What the settings say about the server of the pages."""
    said = settings.serve
    return WebSettings(
        lan=said.lan,
        http_port=said.port,
        https_port=said.tls_port,
        data_folder=where.data,
        max_viewers=said.max_viewers,
        max_frame_bytes=round(said.max_upload_mib * _MIB),
        max_frame_pixels=round(said.max_picture_mpx * 1e6),
        max_frames_per_s=said.max_phone_fps,
    )


def _in_order(camera: Mapping[str, Any]) -> dict[str, bool]:
    """Without a camera a match is kept by hand, which is in order too."""
    if camera["state"] == "none":
        return {}
    return {"camera": camera["state"] == "live", "calibrated": bool(camera["calibrated"])}
