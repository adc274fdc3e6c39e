"""``carrom simulate``: one stroke, unless a sub-command such as ``match`` is named."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

__all__ = ["StrokeByDefault"]

_DEFAULT = "stroke"


class StrokeByDefault(TyperGroup):
    """A group that takes its arguments for those of ``stroke`` if they name no sub-command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default in front where no command is named and no help is asked for."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)
