"""``carrom evaluate advice --gallery``: many positions with their suggestions on one sheet."""

from __future__ import annotations

from pathlib import Path

from api.cli.output_paths import check_output
from referee.laws import Ruleset
from referee.ruleset_files import load_laws
from sim.advisor.suggestion import Advice
from sim.advisor.suggestion_svg import advice_svg, sheet_svg
from sim.advisor.thinking import advise
from sim.advisor.trials import Trial, trial_of
from sim.advisor.wording import tell_refusal

__all__ = ["draw"]

PICTURES = 24


def draw(path: Path, first: int) -> None:
    """24 trials from number ``first`` on, all rulesets, drawn and told in English.

    Raises ``SchemaError`` for a file that cannot be written.
    """
    check_output("--gallery", path, (".svg",))
    laws = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}
    pictures = []
    for number in range(first, first + PICTURES):
        trial = trial_of(number, laws)
        advice = advise(trial.situation, trial.skill, seed=number)
        picture = advice_svg(trial.situation, advice, skill=trial.skill)
        pictures.append((picture, _caption(trial, advice)))
    path.write_text(sheet_svg(pictures), "utf-8")


def _caption(trial: Trial, advice: Advice) -> list[str]:
    situation = trial.situation
    queen = situation.state.queen
    lady = "" if queen is None else f", queen {queen.state.value}"
    lines = [
        f"{trial.number}: {situation.laws.ruleset.value}, {trial.skill_name}, seat "
        f"{situation.seat.value} plays {situation.side.value}{lady}"
    ]
    refusal = tell_refusal(advice, "en")
    if refusal is not None:
        return [*lines, refusal]
    for number, suggestion in enumerate(advice.all, start=1):
        label = "S" if suggestion is advice.safe else str(number)
        chance, foul = 100 * suggestion.chance.value, 100 * suggestion.foul.value
        piece = suggestion.target_piece
        goal = "" if piece is None else f" {piece.value} to {suggestion.pocket}"
        lines.append(
            f"{label} {suggestion.kind.value}{goal}: {chance:.0f} %, foul {foul:.0f} %, "
            f"{suggestion.stroke.speed_mm_s / 1000:.1f} m/s, worth {suggestion.value:+.2f}"
        )
    return lines
