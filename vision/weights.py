"""Where the networks lie: in a checkout's ``models/``, or inside the installed package."""

from pathlib import Path

from carrom.errors import WeightsError

__all__ = ["BOARD_WEIGHTS", "DISC_WEIGHTS", "weights_path"]

BOARD_WEIGHTS = "board.onnx"
DISC_WEIGHTS = "discs.onnx"


def weights_path(name: str) -> Path:
    """The file of a shipped network. Raises ``WeightsError`` when it is nowhere."""
    here = Path(__file__).resolve().parent
    places = (here / "weights_files" / name, here.parent / "models" / name)
    for path in places:
        if path.is_file():
            return path
    raise WeightsError(name, expected="a network in one of the places", got=list(map(str, places)))
