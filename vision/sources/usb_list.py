"""Which USB cameras there are, by names that stay when they are plugged in again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["UsbCameraName", "list_usb_cameras"]


@dataclass(frozen=True, slots=True)
class UsbCameraName:
    """``id``: what to ask for again; ``name``: for people; ``device``: what OpenCV opens."""

    id: str
    name: str
    device: str | int


def list_usb_cameras(root: Path = Path("/")) -> list[UsbCameraName]:
    """The cameras of this machine; below ``root`` on Linux, which has names for them.

    The id is the link in ``/dev/v4l/by-id`` or, where a camera has no serial number of its own,
    ``by-path``; else the device node. Other systems tell nothing before a camera is opened: their
    ids are the indices OpenCV counts by, and the list is empty.
    """
    if not sys.platform.startswith("linux"):
        return []
    links = _links(root / "dev/v4l/by-path") | _links(root / "dev/v4l/by-id")
    out = []
    nodes = sorted((root / "dev").glob("video*"), key=lambda node: (len(node.name), node.name))
    for node in nodes:
        if not node.name[5:].isdigit() or _text(_sys(root, node) / "index") not in ("", "0"):
            continue  # the second node of a camera gives metadata, not pictures
        name = _text(_sys(root, node) / "name") or node.name
        link = links.get(node.resolve())
        device = str(node if link is None else link)
        out.append(UsbCameraName(node.name if link is None else link.name, name, device))
    return out


def _links(folder: Path) -> dict[Path, Path]:
    """Links by the device they lead to; a device with two keeps the first by name."""
    if not folder.is_dir():
        return {}
    return {link.resolve(): link for link in sorted(folder.iterdir(), reverse=True)}


def _sys(root: Path, node: Path) -> Path:
    return root / "sys/class/video4linux" / node.name


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
