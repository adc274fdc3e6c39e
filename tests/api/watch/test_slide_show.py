"""Real photographs of one board as a slow slide show: discs come and go, and nobody struck."""

from pathlib import Path

import pytest

from api.watch.following import pipeline_for, seats_of_players
from referee.ruleset_files import load_laws
from vision.sources.pictures import PictureShow
from vision.table_events import StrokeBegun, StrokeSeen

REAL = Path(__file__).resolve().parents[4] / "shared" / "real"


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_dir(), reason="the real pictures are not beside this checkout")
@pytest.mark.parametrize("names", [("001", "002", "001"), ("011", "012", "011")])
def test_no_stroke_is_invented(names: tuple[str, ...]) -> None:
    """Two pictures of one board may differ by a stroke or a hand: nobody saw the striker move."""
    paths = [REAL / f"real_{name}.jpg" for name in names]
    show = PictureShow(paths, seconds=3.0, fps=4.0, name="slides")
    pipeline = pipeline_for(load_laws("icf"), seats_of_players(2), threads=1)
    events = []
    while (frame := show.read()) is not None:
        events += pipeline.step(frame)
    events += pipeline.finish()
    assert not [event for event in events if isinstance(event, StrokeBegun | StrokeSeen)]
