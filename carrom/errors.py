"""Every error this project raises on purpose.

    CarromError
    ├── FormatError              text or data that cannot be read (where, expected, got)
    │   ├── NotationError        a one-line position
    │   ├── TranscriptError      a match transcript
    │   ├── SchemaError          JSON, YAML or TOML outside its schema
    │   └── SceneError           a scene that no camera could look at
    ├── BoardError               a board description that no board can have
    ├── PositionError            discs that cannot be described (not: discs that lie oddly)
    ├── OutcomeError             an event or a stroke outcome that contradicts itself
    ├── LawsError                an unknown ruleset, option or value of an option
    ├── ContradictionError       facts that cannot have happened in this state of the match
    ├── MatchError               an event that the match cannot take now
    └── VisionError              what the eyes cannot do
        ├── PictureError         a file or an array that is no usable picture
        ├── WeightsError         a network that is missing, damaged or of other classes
        ├── CalibrationError     a saved calibration or corners that fit no board
        ├── TraceError           a recording of detections that cannot be read
        └── SourceError          a camera, file or stream that gives no frames
            └── SourceTimeoutError   none in time; there may be more later

Catch ``CarromError`` at the edge (command line, HTTP). Fouls are not errors: they are data.
"""

__all__ = [
    "BoardError",
    "CalibrationError",
    "CarromError",
    "ContradictionError",
    "FormatError",
    "LawsError",
    "MatchError",
    "NotationError",
    "OutcomeError",
    "PictureError",
    "PositionError",
    "SceneError",
    "SchemaError",
    "SourceError",
    "SourceTimeoutError",
    "TraceError",
    "TranscriptError",
    "VisionError",
    "WeightsError",
]


class CarromError(Exception):
    """Base of all errors of this project."""


class FormatError(CarromError):
    """Text or data that cannot be read.

    ``where`` is a path into the data (file, case, field), outermost first.
    """

    def __init__(self, where: str, *, expected: str, got: object) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        super().__init__(f"{where}: expected {expected}, got {got!r}")


class NotationError(FormatError):
    """A position in one-line notation that does not parse."""


class TranscriptError(FormatError):
    """A match transcript that does not parse."""


class SchemaError(FormatError):
    """JSON, YAML or TOML outside its schema."""


class SceneError(FormatError):
    """A scene that no camera could look at."""


class BoardError(CarromError):
    """A board description that no board can have."""


class PositionError(CarromError):
    """Discs that cannot be described at all (a coordinate that is not finite, say)."""


class OutcomeError(CarromError):
    """An event or a stroke outcome that contradicts itself."""


class LawsError(CarromError):
    """An unknown ruleset, option or value of an option."""


class ContradictionError(CarromError):
    """Facts that cannot have happened in this state: a piece pocketed that was not on the board."""

    def __init__(self, field: str, *, expected: str, got: object) -> None:
        self.field = field
        self.expected = expected
        self.got = got
        super().__init__(f"{field}: expected {expected}, got {got!r}")


class MatchError(CarromError):
    """An event that the match cannot take now; the match is unchanged."""


class VisionError(CarromError):
    """What the eyes cannot do."""


class PictureError(VisionError):
    """A file or an array that is no usable picture; ``where`` names it."""

    def __init__(self, where: str, *, expected: str, got: object) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        super().__init__(f"{where}: expected {expected}, got {got!r}")


class WeightsError(VisionError):
    """A network that is missing, damaged or of other classes."""

    def __init__(self, where: str, *, expected: str, got: object) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        super().__init__(f"{where}: expected {expected}, got {got!r}")


class CalibrationError(VisionError):
    """A saved calibration or corners that fit no board."""


class TraceError(VisionError):
    """A recording of detections that cannot be read; ``where`` names file and line."""

    def __init__(self, where: str, *, expected: str, got: object) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        super().__init__(f"{where}: expected {expected}, got {got!r}")


class SourceError(VisionError):
    """A camera, file or stream that gives no frames; ``source`` names it without credentials."""

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"{source}: {reason}")


class SourceTimeoutError(SourceError):
    """No frame came in time; there may be more later."""
