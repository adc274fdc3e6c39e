"""``carrom detect``: the board and the discs of still pictures."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
from rich.console import Console
from rich.table import Table

from api.detection_json import detection_data, failure_data
from api.picture_overlay import overlay
from carrom.board_spec import BoardFamily
from carrom.errors import PictureError, SchemaError
from vision.arrays import Array
from vision.eyes import Eyes, Sight
from vision.picture_file import PictureFile, read_picture

__all__ = ["run"]

DRAW_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
_NUMBER = r"(-?\d+(?:\.\d+)?)"


class LooksAtPictures(Protocol):
    """What of ``Eyes`` is needed here."""

    def look(
        self,
        image_bgr: Array,
        *,
        family: BoardFamily | None = None,
        corners_px: Sequence[tuple[float, float]] | None = None,
    ) -> Sight:
        """What is seen in a picture."""
        ...


def run(
    images: Sequence[Path],
    *,
    as_json: bool = False,
    draw: Path | None = None,
    board: str | None = None,
    weights: Sequence[Path] = (),
    corners: str | None = None,
    threads: int = 2,
    eyes: LooksAtPictures | None = None,
) -> int:
    """Look at every picture; 0 if each has a board, 1 if any has none or cannot be read.

    ``eyes``: instead of the shipped networks. Raises ``CarromError`` for input that cannot be
    meant.
    """
    if threads < 1:
        raise SchemaError("--threads", expected="1 or more", got=threads)
    family = _family(board)
    clicked = None if corners is None else _corners(corners)
    drawings = _drawings(draw, images)
    if eyes is None:
        eyes = Eyes.load(weights=weights, threads=threads)
    all_found = True
    for path, drawing in zip(images, drawings, strict=True):
        try:
            picture = read_picture(path)
            sight = _look(eyes, picture, family, clicked)
        except PictureError as error:
            _tell_failure(path, str(error), as_json=as_json)
            all_found = False
            continue
        all_found = all_found and sight.board is not None
        data = detection_data(str(path), picture, sight)
        if drawing is not None:
            _draw(drawing, picture, sight)
        if as_json:
            sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        else:
            _tell(data)
    return 0 if all_found else 1


def _family(name: str | None) -> BoardFamily | None:
    if name is None:
        return None
    try:
        return BoardFamily(name)
    except ValueError:
        names = ", ".join(family.value for family in BoardFamily)
        raise SchemaError("--board", expected=names, got=name) from None


def _corners(text: str) -> list[tuple[float, float]]:
    """Four points from ``"x,y x,y x,y x,y"``."""
    words = text.replace(";", " ").split()
    points = [re.fullmatch(f"{_NUMBER},{_NUMBER}", word) for word in words]
    found = [(float(point[1]), float(point[2])) for point in points if point is not None]
    if len(words) != 4 or len(found) != 4:
        expected = "four corners such as '10,20 800,20 810,700 5,705'"
        raise SchemaError("--corners", expected=expected, got=text)
    return found


def _drawings(draw: Path | None, images: Sequence[Path]) -> Iterator[Path | None]:
    """Where the drawing of each picture goes; a folder is made when it is needed."""
    if draw is None:
        return iter([None] * len(images))
    to_folder = draw.is_dir() or len(images) > 1 or not draw.suffix
    if not to_folder:
        if draw.suffix.lower() not in DRAW_SUFFIXES:
            expected = f"a file in {', '.join(DRAW_SUFFIXES)}, or a folder"
            raise SchemaError("--draw", expected=expected, got=str(draw))
        if not draw.parent.is_dir():
            raise SchemaError("--draw", expected="a file in a folder that exists", got=str(draw))
        return iter([draw])
    if draw.exists() and not draw.is_dir():
        raise SchemaError("--draw", expected="a folder for several pictures", got=str(draw))
    if not draw.parent.is_dir():
        raise SchemaError("--draw", expected="a folder in one that exists", got=str(draw))
    draw.mkdir(exist_ok=True)
    taken: Counter[str] = Counter()
    out: list[Path | None] = []
    for image in images:
        taken[image.stem] += 1
        number = "" if taken[image.stem] == 1 else f"_{taken[image.stem]}"
        out.append(draw / f"{image.stem}_seen{number}.png")
    return iter(out)


def _look(
    eyes: LooksAtPictures,
    picture: PictureFile,
    family: BoardFamily | None,
    clicked: Sequence[tuple[float, float]] | None,
) -> Sight:
    corners = None if clicked is None else [picture.to_image_px(x, y) for x, y in clicked]
    return eyes.look(picture.image_bgr, family=family, corners_px=corners)


def _draw(path: Path, picture: PictureFile, sight: Sight) -> None:
    try:
        done = cv2.imwrite(str(path), overlay(picture.image_bgr, sight))
    except cv2.error:
        done = False
    if not done:
        raise SchemaError("--draw", expected="a file that can be written", got=str(path))


def _tell_failure(path: Path, message: str, *, as_json: bool) -> None:
    if as_json:
        line = json.dumps(failure_data(str(path), message), ensure_ascii=False)
        sys.stdout.write(line + "\n")
        return
    sys.stdout.flush()
    Console(stderr=True, highlight=False).print(
        f"error: {message}", style="red", markup=False, soft_wrap=True
    )


def _tell(data: dict[str, Any]) -> None:
    """A picture for people: the board, the count of each kind, a line a disc."""
    console = Console(highlight=False)
    console.print(
        f"{data['file']}: {data['width_px']} x {data['height_px']} px", style="bold",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    board = data["board"]
    if board is None:
        console.print("  no board")
    else:
        corners = "  ".join(f"{x:.1f},{y:.1f}" for x, y in board["corners_px"])
        console.print(f"  {board['spec']} board, confidence {board['confidence']:.2f}")
        console.print(f"  corners NW NE SE SW  {corners}", soft_wrap=True)
        console.print(f"  {_count(data['pieces'])}")
        covered = sum(row.count("#") for row in data["covered"])
        if covered:
            console.print(f"  covered by hands: {covered} of 256 cells of the board")
    if data["pieces"]:
        console.print(_table(data["pieces"]))
    for warning in data["warnings"]:
        console.print(f"  warning: {warning}", style="yellow", markup=False, soft_wrap=True)


def _count(pieces: Sequence[dict[str, Any]]) -> str:
    counts = Counter(piece["kind"] for piece in pieces)
    return ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "no discs"


def _table(pieces: Sequence[dict[str, Any]]) -> Table:
    table = Table("kind", box=None, pad_edge=False)
    for name in ("x mm", "y mm", "x px", "y px"):
        table.add_column(name, justify="right")
    table.add_column("place")
    table.add_column("visible", justify="right")
    table.add_column("confidence", justify="right")
    for piece in pieces:
        table.add_row(
            f"  {piece['kind']}",
            *(f"{piece[key]:.1f}" for key in ("x_mm", "y_mm", "x_px", "y_px")),
            piece["place"],
            f"{100 * piece['visible']:.0f} %",
            f"{piece['confidence']:.2f}",
        )
    return table
