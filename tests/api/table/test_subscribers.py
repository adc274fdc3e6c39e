"""Viewers: the newest only, no change lost, nobody held up."""

from __future__ import annotations

import numpy as np

from api.table.subscribers import Subscribers


def test_a_slow_viewer_misses_frames_but_no_change_and_no_word() -> None:
    """A second viewer must not freeze all; what is said must still be heard (fastapi#2956)."""
    made: list[int] = []

    def snapshot() -> dict[str, int]:
        made.append(1)
        return {"rev": viewers.rev}

    viewers = Subscribers(snapshot)
    place = viewers.join()
    first = place.next(0.1)
    assert first is not None
    assert first.snapshot is not None
    for k in range(50):
        viewers.show(float(k), np.zeros((2, 2, 3), dtype=np.uint8), {"k": k})
    viewers.changed([{"id": "1"}])
    viewers.changed([{"id": "2"}])
    item = place.next(0.1)
    assert item is not None
    assert item.table == {"k": 49}
    assert [one["id"] for one in item.say] == ["1", "2"]
    assert item.snapshot == {"rev": 2}
    assert place.next(0.01) is None


def test_a_snapshot_is_made_once_for_all() -> None:
    """Any number of viewers costs one."""
    made: list[int] = []

    def snapshot() -> dict[str, int]:
        made.append(1)
        return {}

    viewers = Subscribers(snapshot)
    places = [viewers.join() for _ in range(5)]
    viewers.changed()
    assert all(place.next(0.1) is not None for place in places)
    assert len(made) == 1


def test_closing_sends_everybody_away() -> None:
    """A server that ends must not wait for viewers."""
    viewers = Subscribers(dict)
    place = viewers.join()
    place.next(0.1)
    viewers.close()
    assert place.next(5.0) is None
    assert viewers.count == 1
    place.close()
    assert viewers.count == 0
