"""What to do about each thing that `carrom doctor` may find; docs/troubleshooting.md is this table.

`python -m api.ops.remedies` prints the page.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

__all__ = ["REMEDIES", "Remedy", "troubleshooting_page"]


@dataclass(frozen=True, slots=True)
class Remedy:
    """``title``: the trouble in a few words; ``todo``: what a person does about it."""

    group: str
    title: str
    todo: str


def _table(group: str, **rows: tuple[str, str]) -> dict[str, Remedy]:
    return {code: Remedy(group, title, todo) for code, (title, todo) in rows.items()}


REMEDIES: dict[str, Remedy] = {
    **_table(
        "The installation",
        python_old=(
            "Python is too old",
            "Install Python 3.11 or newer and the program with it.",
        ),
        package_missing=(
            "A package is missing",
            "Install the program anew: `pip install --force-reinstall carrom-umpire`, or `uv sync`"
            " in a checkout.",
        ),
        opencv_twice=(
            "Two OpenCVs are installed",
            "They overwrite each other. `pip uninstall opencv-python opencv-contrib-python`, then "
            "`pip install --force-reinstall opencv-python-headless`.",
        ),
        weights_missing=(
            "The networks are missing",
            "Install the program anew; in a checkout, fetch `models/board.onnx` and "
            "`models/discs.onnx` again.",
        ),
        weights_changed=(
            "The networks are not the ones that were measured",
            "Fetch them again. If you trained your own, write their card (`models/README.md`).",
        ),
        extra_missing=(
            "An optional part is missing",
            "`pip install 'carrom-umpire[hall]'` brings MQTT and PostgreSQL.",
        ),
    ),
    **_table(
        "The computer",
        memory_low=(
            "Little memory is free",
            "Close other programs. The app needs about 1 GB; without it the system slows down.",
        ),
        cpu_slow=(
            "The computer is slow for live play",
            "Close other programs, plug in the power supply, choose 720p "
            "(`camera.height_px = 720`). Questions become more frequent, calls come later; "
            "recordings are not affected.",
        ),
        disk_low=(
            "Little room on the disk",
            "Make room, or lower `store.quota_mib`. Clips stop below 200 MiB, the log does not.",
        ),
        disk_full=(
            "The disk is full",
            "Make room now: nothing can be stored. What was stored is safe.",
        ),
        folder_unwritable=(
            "A folder cannot be written",
            "Give your user the right to write there, or set `CARROM_HOME` to a folder of yours.",
        ),
    ),
    **_table(
        "Settings and matches",
        settings_wrong=(
            "A setting is wrong",
            "Mend the line that is named, or take it out. `docs/operations.md` lists all settings.",
        ),
        secrets_open=(
            "Others can read the passwords",
            "`chmod 600` the file that is named.",
        ),
        store_in_use=(
            "Another carrom has the matches",
            "That is well while you play. To start a second one, give it a store of its own: "
            "`store.url`.",
        ),
        store_damaged=(
            "The matches cannot be read",
            "At the next start the file is moved aside with its date and a new one begun; nothing "
            "is overwritten. Copy the moved file before you try to mend it: "
            "`sqlite3 FILE .recover | sqlite3 mended.db` gets back what can be got back. A failing "
            "disk or a network share under the file is the usual cause.",
        ),
        store_newer=(
            "The matches were written by a newer version",
            "Install the newer version again, or choose another place with `store.url`.",
        ),
        store_unreachable=(
            "The database does not answer",
            "Look at the address in `store.url` and whether the server runs.",
        ),
    ),
    **_table(
        "The network",
        port_taken=(
            "The port is taken",
            "Perhaps the app runs already: open the address that is named. Else choose another "
            "with `serve.port` or `--port`.",
        ),
        port_refused=(
            "The port may not be used",
            "Ports below 1024 need special rights: choose one above with `serve.port`.",
        ),
    ),
    **_table(
        "The camera",
        camera_none=(
            "No USB camera was found",
            "Plug one in; on Linux your user must be in the group `video`. A phone, a stream and "
            "a file do as well, and a match can be kept by hand. On other systems than Linux "
            "cameras are chosen by number and not listed.",
        ),
        camera_silent=(
            "The camera gives no picture",
            "Close other programs that use it (a camera serves one at a time), plug it into "
            "another socket without a hub, try its address in a video player.",
        ),
        camera_slow=(
            "The camera gives few frames",
            "More light: many cameras halve their rate in the dark. Ask for MJPG, 1080p or 720p; "
            "use a USB 3 socket, no hub. Below 20 frames a second fast strokes are followed less "
            "surely and more is asked.",
        ),
        picture_small=(
            "The board is small in the picture",
            "Move the camera nearer, or choose a larger size: a disc must be at least 14 px wide, "
            "25 are good.",
        ),
        too_dark=(
            "The picture is dark",
            "More light from two sides, lamps not in the camera's view of the board's shine.",
        ),
        too_bright=(
            "Parts of the picture are white",
            "Less light or a shorter exposure; turn lamps so that they do not mirror in the board.",
        ),
        blurred=(
            "The picture is out of focus",
            "Focus on the board and switch autofocus off (`camera.lock`); clean the lens.",
        ),
        frozen=(
            "The picture stands still",
            "The camera repeats one picture: plug it in anew, update its firmware.",
        ),
        no_board=(
            "No board is seen",
            "The whole frame of the board with a little table around it must be in the picture, "
            "seen from above; take things off the corners. You can also drag the corners by hand.",
        ),
        fits_badly=(
            "The board does not fit well",
            "Something covers an edge, or the lens bends strongly: clear the edges, move the board "
            "to the middle of the picture, or drag the corners by hand.",
        ),
    ),
    **_table(
        "The trial run",
        no_clip=(
            "There is no clip to try with",
            "The fixture clips are in a checkout only (`datasets/fixtures`): name a recording of "
            "yours with `--clip FILE`.",
        ),
        behind=(
            "Frames were not kept up with",
            'See "The computer is slow for live play".',
        ),
    ),
}
"""By code."""

_HEAD = """# Troubleshooting

What `carrom doctor` may find, and what to do about it. `carrom doctor --camera SOURCE` also looks
through a camera, `carrom doctor --bench` tries how fast this computer is, `--json` prints the same
for programs. This page is written by `python -m api.ops.remedies`.
"""


def troubleshooting_page() -> str:
    """docs/troubleshooting.md."""
    parts, group = [_HEAD], ""
    for code, remedy in REMEDIES.items():
        if remedy.group != group:
            group = remedy.group
            parts.append(f"## {group}\n")
        parts.append(f"### {remedy.title}\n\n{remedy.todo} (`{code}`)\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(troubleshooting_page())
