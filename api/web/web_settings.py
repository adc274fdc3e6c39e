"""What the server of the pages is allowed to do, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["LOCAL_NAMES", "PAGES_FOLDER", "WebSettings"]

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names by which a browser on this machine reaches the server."""

PAGES_FOLDER = Path(__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Ports, caps and folders. ``lan``: other devices may come in, by TLS and paired.

    ``open_viewing``: in a LAN, whoever can reach the server may look on without being paired.
    ``data_folder``: where paired devices and certificates are remembered; ``None``: nowhere.
    """

    lan: bool = False
    open_viewing: bool = False
    http_port: int = 8000
    https_port: int = 8443
    data_folder: Path | None = None
    pages_folder: Path = PAGES_FOLDER
    max_viewers: int = 24
    max_body_bytes: int = 256 * 1024
    max_frame_bytes: int = 6 * 1024 * 1024
    max_frame_pixels: int = 9_000_000
    max_frames_per_s: float = 40.0
    max_pairings_per_min: float = 10.0
    silent_viewer_s: float = 20.0
    poll_s: float = 20.0
