"""``carrom doctor``: what is wrong with this computer, this camera, these files; what to do."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from api.ops.finding import Finding, Level
from api.ops.remedies import REMEDIES
from api.settings.places import Places, places
from api.settings.tree import Settings
from carrom.errors import CarromError

__all__ = ["run"]

_MARKS = {
    Level.OK: ("ok", "green"),
    Level.NOTE: ("note", "cyan"),
    Level.WARNING: ("warning", "yellow"),
    Level.PROBLEM: ("problem", "red"),
}


def run(
    *,
    camera: str | None = None,
    bench: bool = False,
    clip: Path | None = None,
    rules: str = "icf",
    as_json: bool = False,
) -> int:
    """Check everything and tell; 1 if something will not work, else 0.

    ``camera``: also look through this source; ``bench``: also try how fast play is followed, with
    ``clip`` or a shipped film. Raises ``CarromError`` for a clip that cannot be read.
    """
    out = Console(highlight=False)
    trouble = Console(stderr=True, highlight=False)
    findings: list[Finding] = []
    with trouble.status("looking ..."):
        for found in _checks(places(), camera):
            findings.append(found)
            if not as_json:
                _tell(out, found)
    figures = _bench(trouble, clip, rules, findings) if bench else None
    if as_json:
        data: dict[str, Any] = {"findings": [found.to_data() for found in findings]}
        if figures is not None:
            data["bench"] = figures
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        _sum_up(out, findings, figures)
    return 1 if any(found.level is Level.PROBLEM for found in findings) else 0


def _checks(where: Places, camera: str | None) -> Iterator[Finding]:
    from api.ops import camera_checks, file_checks, machine_checks

    yield machine_checks.check_python()
    yield from machine_checks.check_packages()
    settings, found = file_checks.check_settings(where)
    yield from found
    yield from machine_checks.check_disk(where, settings)
    yield from file_checks.check_store(where, settings)
    yield from file_checks.check_weights()
    yield from machine_checks.check_ports(settings)
    yield from machine_checks.check_cpu()
    yield from camera_checks.list_cameras()
    source = camera or _source(settings)
    if source:
        yield from camera_checks.check_camera(source)


def _source(settings: Settings) -> str:
    """The camera that is set; a phone sends to the app only."""
    source = settings.camera.source.get_secret_value()
    return "" if source.lower() == "phone" else source


def _bench(
    trouble: Console, clip: Path | None, rules: str, findings: list[Finding]
) -> dict[str, Any] | None:
    from api.ops.bench_clip import bench_advice, bench_clip, shipped_clip
    from api.ops.finding import finding

    path = clip or shipped_clip(rules)
    if path is None:
        findings.append(finding("bench", rules, "no_clip", Level.NOTE))
        return None
    with trouble.status("playing a clip as a camera would ..."):
        figures = bench_clip(path, rules, most_s=25.0)
        kept = figures["kept_up"]
        behind = kept < 0.9
        text = f"{100 * kept:.0f} % of the frames of {figures['clip']} were looked at"
        findings.append(finding("bench", text, "behind" if behind else "", Level.WARNING))
    try:
        with trouble.status("thinking about a stroke ..."):
            figures["advice"] = bench_advice()
    except CarromError as error:
        trouble.print(f"no figures of the advice: {error}", markup=False)
    return figures


def _tell(out: Console, found: Finding) -> None:
    mark, colour = _MARKS[found.level]
    out.print(f"[{colour}]{mark:<8}[/{colour}] {found.check:<11} ", end="")
    title = f"{REMEDIES[found.code].title}: " if found.code else ""
    out.print(title + found.text, markup=False)
    if found.advice:
        text = textwrap.wrap(found.advice, max(40, out.width - 21))
        out.print(textwrap.indent("\n".join(text), " " * 21), style="dim", markup=False)


def _sum_up(out: Console, findings: list[Finding], figures: dict[str, Any] | None) -> None:
    if figures is not None:
        _tell(out, next(found for found in findings if found.check == "bench"))
        for line in _figure_lines(figures):
            out.print(f"{'':9}{line}", markup=False)
    elif findings and findings[-1].code == "no_clip":
        _tell(out, findings[-1])
    count = sum(found.level in (Level.PROBLEM, Level.WARNING) for found in findings)
    out.print(f"\n{count} to look at" if count else "\nAll is well.")


def _figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    width, height = figures["size_px"]
    yield (
        f"frames        {figures['frames']} of {width} x {height}, "
        f"{figures['frames_per_second']} a second"
    )
    frame, call = figures["frame_ms"], figures["rest_to_call_ms"]
    yield f"frame to fact {frame['median']} ms median, {frame['p95']} ms at 95 %"
    if figures["strokes"]:
        yield (
            f"rest to call  {call['median']} ms median, {call['most']} ms at most, "
            f"{figures['strokes']} strokes"
        )
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in figures["shares"].items())
    yield f"of one core   {shares}"
    if "advice" in figures:
        advice = figures["advice"]
        yield f"advice        first after {advice['first_s']} s, all after {advice['full_s']} s"
