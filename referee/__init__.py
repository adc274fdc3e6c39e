"""The laws as data, the verdict on a stroke, the log of a match. Pure functions; no camera."""

from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.clauses import Clause, Observability, Trigger, all_clauses, clause
from referee.clock import exceeded, read_clock, start_clock, stop_clock
from referee.explain import Explanation, explain
from referee.laws import GameNumbers, Laws, Ruleset
from referee.match import Frame, Match, StrokeRecord
from referee.match_events import CODEC, MATCH_EVENT_CLASSES, MatchEvent
from referee.options import Options, option_values
from referee.phrases import Language
from referee.ruleset_files import load_laws, load_laws_file, with_options
from referee.ruling import (
    Action,
    Alternative,
    BoardReason,
    BoardRuling,
    BoardStatus,
    DebtChange,
    Foul,
    FoulCall,
    From,
    GameRuling,
    GameStatus,
    NextPlacement,
    Notice,
    OpenQuestion,
    Place,
    QueenState,
    QueenStatus,
    Reason,
    ReturnRow,
    Ruling,
    TurnRuling,
)
from referee.scenario import (
    Difference,
    Scenario,
    differences,
    judge_scenario,
    read_scenario,
)
from referee.score_sheet import ScoreSheet, score_sheet
from referee.setup import next_board, next_game, start_match
from referee.state import BoardResult, ClockReading, Phase, Standing, State, Team, check_state
from referee.task import Decision, StrikeFrom, Task, next_task
from referee.transcript import parse_transcript, write_transcript

__all__ = [
    "CODEC",
    "MATCH_EVENT_CLASSES",
    "Action",
    "Alternative",
    "BoardReason",
    "BoardResult",
    "BoardRuling",
    "BoardStatus",
    "Clause",
    "ClockReading",
    "DebtChange",
    "Decision",
    "Difference",
    "Explanation",
    "Foul",
    "FoulCall",
    "Frame",
    "From",
    "GameNumbers",
    "GameRuling",
    "GameStatus",
    "Language",
    "Laws",
    "Match",
    "MatchEvent",
    "NextPlacement",
    "Notice",
    "Observability",
    "OpenQuestion",
    "Options",
    "Phase",
    "Place",
    "QueenState",
    "QueenStatus",
    "Reason",
    "ReturnRow",
    "Ruleset",
    "Ruling",
    "Scenario",
    "ScoreSheet",
    "Standing",
    "State",
    "StrikeFrom",
    "StrokeRecord",
    "Task",
    "Team",
    "Trigger",
    "TurnRuling",
    "adjudicate",
    "all_clauses",
    "apply",
    "check_state",
    "clause",
    "differences",
    "exceeded",
    "explain",
    "judge_scenario",
    "load_laws",
    "load_laws_file",
    "next_board",
    "next_game",
    "next_task",
    "option_values",
    "parse_transcript",
    "read_clock",
    "read_scenario",
    "score_sheet",
    "start_clock",
    "start_match",
    "stop_clock",
    "with_options",
    "write_transcript",
]
