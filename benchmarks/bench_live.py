"""Five viewers of which one never reads: pictures a second of the others, time of API answers.

    python benchmarks/bench_live.py [--seconds 10] [--viewers 5] [--codec jpeg] [--fps 30]

Prints figures, judges nothing. The table is the tests' scripted one (720p, drawn); the server, the
encoders and the sockets are the real ones, all in this process.
"""

from __future__ import annotations

import argparse
import json
import statistics
import struct
import sys
import threading
import time
from pathlib import Path

import psutil
from websockets.exceptions import ConnectionClosed

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from api.web.web_settings import WebSettings
from tests.api.web.fake_table import FakeTable
from tests.api.web.serving import Served, serving


def watch(served: Served, query: str, until_s: float, counts: list[int], index: int) -> None:
    """Read and acknowledge like a page."""
    with served.socket(query) as socket:
        while time.monotonic() < until_s:
            try:
                message = socket.recv(timeout=2)
            except (TimeoutError, ConnectionClosed):
                return
            (length,) = struct.unpack(">I", message[:4])
            counts[index] += len(message) > 4 + length
            socket.send(json.dumps({"ack": json.loads(message[4 : 4 + length])["seq"]}))


def ask(served: Served, until_s: float, times_ms: list[float]) -> None:
    """Ask for the snapshot ten times a second."""
    with served.http() as http:
        while time.monotonic() < until_s:
            began = time.perf_counter()
            http.get("/api/table").raise_for_status()
            times_ms.append((time.perf_counter() - began) * 1000)
            time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--viewers", type=int, default=5)
    parser.add_argument("--codec", choices=["jpeg", "h264"], default="jpeg")
    parser.add_argument("--fps", type=float, default=30.0)
    asked = parser.parse_args()
    table = FakeTable(fps=asked.fps)
    with serving(WebSettings(http_port=0), table=table) as served, served.socket():
        table.begin_script()
        until_s = time.monotonic() + asked.seconds
        counts, times_ms = [0] * (asked.viewers - 1), list[float]()
        query = f"?codec={asked.codec}"
        work = [
            threading.Thread(target=watch, args=(served, query, until_s, counts, index))
            for index in range(asked.viewers - 1)
        ]
        work.append(threading.Thread(target=ask, args=(served, until_s, times_ms)))
        process = psutil.Process()
        before, first = process.cpu_times(), table.frames
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        after, shown = process.cpu_times(), table.frames - first
    cpu = (after.user + after.system - before.user - before.system) / asked.seconds
    rates = ", ".join(f"{count / asked.seconds:.1f}" for count in counts)
    times_ms.sort()
    print(f"{asked.viewers} viewers ({asked.codec}), one of which never reads, {asked.seconds:g} s")
    print(f"pictures/s of the table: {shown / asked.seconds:.1f}; of the others: {rates}")
    print(
        f"GET /api/table: median {statistics.median(times_ms):.0f} ms, "
        f"95 % {times_ms[int(len(times_ms) * 0.95)]:.0f} ms, most {times_ms[-1]:.0f} ms"
    )
    print(f"CPU of table, server and viewers together: {cpu * 100:.0f} % of one core")
    print(f"load of this machine at the end: {psutil.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
