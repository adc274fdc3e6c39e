"""Figures and health as monitors read them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.ops.health import Health
from api.ops.metrics import STAGES, Metrics

WELL = Health(
    loop_age_s=0.1, frame_age_s=0.05, camera_wanted=True, calibrated=True, models_loaded=True
)


def test_figures_are_read_by_a_monitor() -> None:
    """The text must parse, and each figure be under its name."""
    metrics = Metrics()
    metrics.frame_in(30)
    metrics.frame_out(29)
    metrics.dropped(1)
    metrics.event("stroke")
    metrics.event("stroke")
    metrics.corrected()
    metrics.reconnected()
    metrics.stage("look", 0.012)
    metrics.called(0.8)
    metrics.viewers(4)
    metrics.camera(live=True, frame_age_s=0.03)
    found = {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
    }
    expected = {
        "carrom_frames_in_total": 30, "carrom_frames_out_total": 29,
        "carrom_frames_dropped_total": 1, "carrom_events_totalstroke": 2,
        "carrom_corrections_total": 1, "carrom_camera_reconnects_total": 1,
        "carrom_stage_seconds_countlook": 1, "carrom_rest_to_call_seconds_count": 1,
        "carrom_viewers": 4, "carrom_camera_live": 1, "carrom_frame_age_seconds": 0.03,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert all(f"carrom_stage_seconds_count{stage}" in found for stage in STAGES)


def test_two_tables_do_not_share_figures() -> None:
    """The registry is the object's own, not the process's."""
    one, two = Metrics(), Metrics()
    one.frame_in()
    assert b"carrom_frames_in_total 0.0" in two.text()


def test_an_unknown_stage_is_a_mistake() -> None:
    """A typo would make a series that nobody looks at."""
    with pytest.raises(ValueError, match="lok"):
        Metrics().stage("lok", 1.0)


@pytest.mark.parametrize(
    ("health", "alive", "ready", "reasons"),
    [
        (WELL, True, True, ()),
        (replace(WELL, frame_age_s=3.0), True, False, ("camera_stale",)),
        (replace(WELL, calibrated=False), True, False, ("not_calibrated",)),
        (replace(WELL, models_loaded=False), True, False, ("models_not_loaded",)),
        (replace(WELL, camera_wanted=False, frame_age_s=None, calibrated=False), True, True, ()),
        (replace(WELL, loop_age_s=20.0), False, False, ("stuck",)),
        (replace(WELL, store="the disk is full"), False, False, ("store",)),
        (Health(None, None, camera_wanted=False, calibrated=False, models_loaded=False),
         True, True, ()),
    ],
)  # fmt: skip
def test_health(health: Health, alive: bool, ready: bool, reasons: tuple[str, ...]) -> None:
    """Alive: leave me running. Ready: calls can be made, by hand too."""
    assert (health.alive, health.ready, health.reasons()) == (alive, ready, reasons)
    assert health.healthz()[0] == (200 if alive else 503)
    assert health.readyz()[0] == (200 if ready else 503)
