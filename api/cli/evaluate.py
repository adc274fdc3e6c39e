"""The command group ``carrom evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["evaluate"]

evaluate = typer.Typer(help="Measure accuracy: tables of figures.", no_args_is_help=True)


@evaluate.callback()
def _root() -> None:
    """Measure accuracy: tables of figures."""


@evaluate.command()
def pictures(
    renders: Annotated[
        int | None,
        typer.Option(help="Rendered pictures of each board and size.", show_default=False),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="A folder of photographs; labels/NAME.json beside them.", show_default=False
        ),
    ] = None,
    sizes: Annotated[
        str, typer.Option(help="Sizes of the rendered pictures.")
    ] = "1280x720,1920x1080",
    json_path: Annotated[
        Path | None, typer.Option("--json", help="All figures into this file.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Keep every judged picture in this file; go on from it.", show_default=False
        ),
    ] = None,
    weights: Annotated[
        list[Path] | None,
        typer.Option(help="A network (.onnx) instead of the shipped one; may be repeated."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes, one core each.")] = 1,
) -> None:
    """How well boards and discs are found in pictures whose truth is known."""
    from api.cli import evaluate_pictures

    evaluate_pictures.run(
        renders=renders,
        folder=folder,
        sizes=sizes,
        json_path=json_path,
        resume=resume,
        weights=tuple(weights or ()),
        workers=workers,
    )
