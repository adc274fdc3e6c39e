"""Checks of the computer and of what is installed on it."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from api.ops.finding import Finding, Level, finding
from api.settings.places import Places
from api.settings.tree import Settings

__all__ = ["check_cpu", "check_disk", "check_packages", "check_ports", "check_python"]

_DISTRIBUTION = "carrom-umpire"
_NAME = re.compile(r"^[A-Za-z0-9._-]+")
_MIB = 1024**2
_SLOW_LOOK_S = 0.12


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """The interpreter."""
    text = "Python " + ".".join(map(str, version))
    return finding("python", text, "" if version >= (3, 11) else "python_old")


def check_packages() -> Iterator[Finding]:
    """What the program needs, and what disturbs it."""
    missing = [name for name in _required() if _version(name) is None]
    if missing:
        yield finding("packages", f"missing: {', '.join(missing)}", "package_missing")
    else:
        yield finding("packages", f"carrom-umpire {_version(_DISTRIBUTION) or '(not installed)'}")
    others = [name for name in ("opencv-python", "opencv-contrib-python") if _version(name)]
    if others:
        yield finding("packages", f"beside the headless one: {', '.join(others)}", "opencv_twice",
                      Level.WARNING)  # fmt: skip


def _required() -> list[str]:
    """Names of the packages that are always needed, as the distribution says."""
    try:
        wanted = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    names = (_NAME.match(line) for line in wanted if "extra ==" not in line)
    return [found.group() for found in names if found]


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def check_disk(where: Places, settings: Settings) -> Iterator[Finding]:
    """Room and the right to write, where this program writes."""
    for name, folder in (("settings", where.config), ("matches", where.data)):
        there = _nearest(folder)
        trouble = _cannot_write(there)
        if trouble:
            yield finding(name, f"{there}: {trouble}", "folder_unwritable")
    free_mib = shutil.disk_usage(_nearest(where.data)).free // _MIB
    text = f"{free_mib / 1024:.1f} GiB free for {where.data}"
    if free_mib < 20:
        yield finding("disk", text, "disk_full")
    elif free_mib < settings.store.quota_mib / 4 + 300:
        yield finding("disk", text, "disk_low", Level.WARNING)
    else:
        yield finding("disk", text)


def _nearest(folder: Path) -> Path:
    """The folder, or what there is of the way to it."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _cannot_write(folder: Path) -> str | None:
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)


def check_ports(settings: Settings) -> Iterator[Finding]:
    """Whether the pages can be served where they are set to be."""
    serve = settings.serve
    ports = [serve.port, serve.tls_port] if serve.lan else [serve.port]
    for port in ports:
        host = "0.0.0.0" if serve.lan else serve.host  # noqa: S104 - as the app itself will
        yield _port(host, port)


def _port(host: str, port: int) -> Finding:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        if sys.platform != "win32":
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except PermissionError as error:
            return finding("port", f"{host}:{port}: {error.strerror}", "port_refused")
        except OSError as error:
            text = f"http://{host}:{port}/: {error.strerror or error}"
            return finding("port", text, "port_taken", Level.WARNING)
    return finding("port", f"{host}:{port} is free")


def check_cpu() -> Iterator[Finding]:
    """Memory, and how long the disc network takes: the largest single piece of live work."""
    import psutil

    memory = psutil.virtual_memory()
    text = f"{memory.available / 1024**3:.1f} of {memory.total / 1024**3:.1f} GiB memory free"
    low = memory.available < 700 * _MIB
    yield finding("memory", text, "memory_low" if low else "", Level.WARNING)
    import numpy as np

    from carrom.errors import WeightsError
    from vision.network import Network
    from vision.weights import DISC_WEIGHTS, weights_path

    try:
        network = Network(weights_path(DISC_WEIGHTS), threads=2)
    except WeightsError:
        return  # told by the check of the weights
    picture = np.full((network.size_px, network.size_px, 3), 120, np.uint8)
    times_s = []
    for _ in range(6):
        start_s = time.perf_counter()
        network.look(picture)
        times_s.append(time.perf_counter() - start_s)
    look_s = statistics.median(times_s[1:])
    text = f"{psutil.cpu_count() or 1} cores; one look at the discs takes {1000 * look_s:.0f} ms"
    slow = look_s > _SLOW_LOOK_S
    yield finding("speed", text, "cpu_slow" if slow else "", Level.WARNING)
