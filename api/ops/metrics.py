"""Figures of a running table, for ``/metrics``."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

__all__ = ["MEDIA_TYPE", "STAGES", "Metrics"]

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
STAGES = ("capture", "look", "follow", "judge", "encode", "publish", "advice")
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


class Metrics:
    """What the service counts. Each table has its own; safe for several threads.

    ``corrections`` over ``events`` is the accuracy as players see it.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._in = self._counter("frames_in", "Frames that the source gave")
        self._out = self._counter("frames_out", "Frames that were looked at")
        self._dropped = self._counter("frames_dropped", "Frames that nobody had time for")
        self._lost = self._counter("camera_reconnects", "Times the source was lost and found")
        self._corrections = self._counter("corrections", "Calls that a person corrected")
        self._events = Counter(
            "carrom_events", "Events of the log by kind", ["kind"], registry=self.registry
        )
        self._stages = Histogram(
            "carrom_stage_seconds", "Time of a stage", ["stage"],
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._call = Histogram(
            "carrom_rest_to_call_seconds", "From the last motion to the call",
            buckets=(0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0), registry=self.registry,
        )  # fmt: skip
        self._viewers = self._gauge("viewers", "Pages that watch")
        self._live = self._gauge("camera_live", "1 while frames come")
        self._age = self._gauge("frame_age_seconds", "Age of the newest frame")
        for stage in STAGES:
            self._stages.labels(stage)

    def _counter(self, name: str, text: str) -> Counter:
        return Counter(f"carrom_{name}", text, registry=self.registry)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"carrom_{name}", text, registry=self.registry)

    def frame_in(self, count: int = 1) -> None:
        """The source gave a frame."""
        self._in.inc(count)

    def frame_out(self, count: int = 1) -> None:
        """A frame was looked at."""
        self._out.inc(count)

    def dropped(self, count: int) -> None:
        """Frames were left out because a newer one was there."""
        self._dropped.inc(count)

    def reconnected(self) -> None:
        """The source is back."""
        self._lost.inc()

    def corrected(self) -> None:
        """A person changed a call."""
        self._corrections.inc()

    def event(self, kind: str) -> None:
        """An event went into the log; ``kind``: its name."""
        self._events.labels(kind).inc()

    def stage(self, name: str, seconds: float) -> None:
        """A stage (one of ``STAGES``) took so long."""
        if name not in STAGES:
            raise ValueError(f"expected one of {', '.join(STAGES)}, got {name!r}")
        self._stages.labels(name).observe(seconds)

    def called(self, rest_to_call_s: float) -> None:
        """A call was made so long after the discs came to rest."""
        self._call.observe(rest_to_call_s)

    def viewers(self, count: int) -> None:
        """So many pages watch now."""
        self._viewers.set(count)

    def camera(self, *, live: bool, frame_age_s: float) -> None:
        """How the source stands now."""
        self._live.set(int(live))
        self._age.set(frame_age_s)

    def text(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self.registry)
