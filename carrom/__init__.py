"""Words shared by all: boards, pieces, seats, positions, strokes, outcomes.

Standard library only.
"""

from carrom.board_dimensions import Certainty, Dimension, measured
from carrom.board_marks import (
    Arc,
    Arrow,
    Circle,
    Ink,
    Line,
    Mark,
    MarkName,
    Point,
    Spot,
    from_seat_frame,
    to_seat_frame,
)
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.board_toml import board_from_toml, board_to_toml, load_board, save_board
from carrom.boards import HIKONE_BOARD, ICF_BOARD, board_for
from carrom.codec import SCHEMA, Codec
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import (
    BoardError,
    CarromError,
    ContradictionError,
    FormatError,
    LawsError,
    MatchError,
    NotationError,
    OutcomeError,
    PositionError,
    SceneError,
    SchemaError,
    TranscriptError,
)
from carrom.events import EVENT_CLASSES, Event
from carrom.evidence import DECLARED, OBSERVED, Evidence, Source
from carrom.layouts import castle_layout, circle_layout, opening_position, ring_layout
from carrom.notation import format_position, parse_position, rounded
from carrom.outcome import StrokeOutcome
from carrom.pieces import HIKONE_SET, INDIAN_SET, Counts, PieceKind
from carrom.position import Disc, Fault, Position, PositionProblem
from carrom.seats import (
    Pocket,
    Seat,
    Side,
    TurnDirection,
    left_of,
    next_seat,
    opposite,
    own_pockets,
    right_of,
)
from carrom.stroke import MAX_SPEED_MM_S, Stroke

__all__ = [
    "DECLARED",
    "EVENT_CLASSES",
    "HIKONE_BOARD",
    "HIKONE_SET",
    "ICF_BOARD",
    "INDIAN_SET",
    "MAX_SPEED_MM_S",
    "OBSERVED",
    "SCHEMA",
    "Answer",
    "Arc",
    "Arrow",
    "BoardError",
    "BoardFamily",
    "BoardSpec",
    "CarromError",
    "Certainty",
    "Circle",
    "Codec",
    "ContradictionError",
    "Counts",
    "Dimension",
    "Disc",
    "Doubt",
    "Event",
    "Evidence",
    "Fault",
    "FormatError",
    "Ink",
    "LawsError",
    "Line",
    "Mark",
    "MarkName",
    "MatchError",
    "NotationError",
    "OutcomeError",
    "PieceKind",
    "Pocket",
    "Point",
    "Position",
    "PositionError",
    "PositionProblem",
    "Question",
    "SceneError",
    "SchemaError",
    "Seat",
    "Side",
    "Source",
    "Spot",
    "Stroke",
    "StrokeOutcome",
    "TranscriptError",
    "TurnDirection",
    "board_for",
    "board_from_toml",
    "board_to_toml",
    "castle_layout",
    "circle_layout",
    "format_position",
    "from_seat_frame",
    "left_of",
    "load_board",
    "measured",
    "next_seat",
    "opening_position",
    "opposite",
    "own_pockets",
    "parse_position",
    "right_of",
    "ring_layout",
    "rounded",
    "save_board",
    "to_seat_frame",
]
