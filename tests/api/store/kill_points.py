"""Kill a process that appends events, again and again, at random moments; a script of its own.

Forks from one process that has imported everything, so that 200 kills take seconds. Prints one JSON
object: kills, events acknowledged, points where something was wrong. ``seed`` and ``kills`` are the
arguments.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from api.store.match_store import MatchStore
from api.table.event_log import MatchMeta, Row


def _append_for_ever(url: str, match_id: str, first: int, pipe: int) -> None:
    store = MatchStore(url)
    seq = first
    while True:
        several = 1 + seq % 3
        store.append(match_id, [_row(number) for number in range(seq, seq + several)])
        seq += several
        os.write(pipe, (seq - 1).to_bytes(4, "big"))


def _row(number: int) -> Row:
    body = json.dumps({"type": "stroke", "n": number, "pad": "x" * (number * 37 % 900)})
    return Row(seq=number, kind="match", body=body, actor="test", at="2026-12-01T10:00:00+00:00")


def _kill_once(url: str, match_id: str, first: int, chance: random.Random) -> int:
    """The last event that the child said was stored before it was killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _append_for_ever(url, match_id, first, writer)
        finally:
            os._exit(3)
    os.close(writer)
    acknowledged = first - 1
    for _ in range(chance.randrange(4)):
        if not select.select([reader], [], [], 20.0)[0]:
            break
        acknowledged = int.from_bytes(os.read(reader, 4), "big")
    time.sleep(chance.random() * 0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while told := os.read(reader, 4):
        acknowledged = int.from_bytes(told, "big")
    os.close(reader)
    return acknowledged


def _kill_while_made(folder: Path, number: int, chance: random.Random) -> bool:
    """Kill a process that makes a new store; whether the next one can use what is there."""
    url = f"sqlite:///{folder / f'new{number}.db'}"
    child = os.fork()
    if child == 0:
        try:
            MatchStore(url)
            time.sleep(5)
        finally:
            os._exit(3)
    time.sleep(chance.random() * 0.15)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    store = MatchStore(url)
    fine = store.matches() == () and store.notices == ()
    store.close()
    return fine


def _quick_folder() -> str | None:
    """Memory, where there is such a disk: what a killed process leaves is the same there."""
    shared = Path("/dev/shm")
    return str(shared) if os.access(shared, os.W_OK) else None


def main(seed: int, kills: int) -> None:
    chance = random.Random(seed)
    wrong: list[dict[str, int]] = []
    total = 0
    with tempfile.TemporaryDirectory(dir=_quick_folder()) as folder:
        for number in range(kills // 10):
            if not _kill_while_made(Path(folder), number, chance):
                wrong.append({"making": number})
        url = f"sqlite:///{Path(folder) / 'matches.db'}"
        match_id, first = "", 1
        for kill in range(kills):
            if kill % 20 == 0:
                match_id, first = f"m{kill}", 1
                store = MatchStore(url)
                store.create(MatchMeta(match_id, "icf", "", "2026-12-01T10:00:00Z", {"S": "Asha"}))
                store.close()
            acknowledged = _kill_once(url, match_id, first, chance)
            store = MatchStore(url)
            rows = store.load(match_id)
            notices = store.notices
            store.close()
            expected = tuple(_row(number) for number in range(1, len(rows) + 1))
            if rows != expected or len(rows) < acknowledged or notices:
                wrong.append({"kill": kill, "rows": len(rows), "acknowledged": acknowledged})
            total += max(0, acknowledged - first + 1)
            first = len(rows) + 1
    sys.stdout.write(json.dumps({"kills": kills, "acknowledged": total, "wrong": wrong}) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
