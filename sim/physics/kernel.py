"""How our kernels are compiled: when, with which options, and where the machine code is kept.

Nothing is compiled or written at import. Inner kernels are plain lazy numba functions; entry points
(``Entry``) are made at their first call, because only then is a cache folder needed:

1. ``NUMBA_CACHE_DIR`` if the user sets it;
2. ``__pycache__`` beside this file if it can be written;
3. the user's cache folder (``XDG_CACHE_HOME``, ``LOCALAPPDATA`` or ``~/.cache``);
4. no cache: every process compiles anew (about 10 s).

numba looks only at the file of the entry point when it asks whether a cached kernel is still good,
so the folder's name holds a digest of the sources of all our modules that this file imports.
"""

import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numba

__all__ = ["Entry", "cache_folder", "inner"]

P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_HERE = Path(__file__).parent
_IMPORT = re.compile(rb"^from (sim\.physics\.\w+) import", re.MULTILINE)
_LOCK = numba.core.compiler_lock.global_compiler_lock


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that other kernels call; compiled into its callers, never cached by itself."""
    return cast("Callable[P, R]", numba.njit(function, forceinline=True, **_OPTIONS))


class Entry(Generic[P, R]):
    """A kernel that Python calls; it releases the GIL. Made at its first call, then kept."""

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel; its arguments are those of the function."""
        if self._compiled is None:
            self._compiled = _with_cache(self._function)
        return self._compiled(*args, **kwargs)


def _with_cache(function: Callable[P, R]) -> Callable[P, R]:
    folder = cache_folder(function.__module__)
    if folder is None:
        return inner(function)
    with _LOCK:  # another thread must not see our folder as its own
        config: Any = numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            kernel = numba.njit(function, cache=True, **_OPTIONS)
        except (OSError, RuntimeError):  # numba: "no locator available"
            return inner(function)
        finally:
            config.CACHE_DIR = before
    return cast("Callable[P, R]", kernel)


@functools.cache
def cache_folder(module: str) -> Path | None:
    """Where compiled kernels of a module are kept, made if need be; ``None`` if nowhere."""
    name = f"carrom-kernels-{_digest(module)}"
    given = os.environ.get("NUMBA_CACHE_DIR")
    places = [Path(given)] if given else [_HERE / "__pycache__", _user_cache()]
    for place in places:
        folder = place / name
        if _is_writable(folder):
            return folder
    return None


def _user_cache() -> Path:
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "carrom-umpire"
    return Path(os.path.expanduser("~")) / ".cache" / "carrom-umpire"


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _digest(module: str) -> str:
    """Of numba's version and the sources of ``module`` and of what it imports from sim.physics."""
    digest = hashlib.sha256(numba.__version__.encode())
    todo, done = [module], set[str]()
    while todo:
        name = todo.pop()
        source = Path(sys.modules[name].__file__ or "").read_bytes()
        digest.update(name.encode() + source)
        done.add(name)
        imported = {found.decode() for found in _IMPORT.findall(source)}
        todo += sorted(imported - done - set(todo))
    return digest.hexdigest()[:16]
