"""Webhooks against a small server of our own: everything arrives, in order, signed."""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from api.outputs.webhook import Webhook, signature
from api.outputs.worker import Outputs, targets_of
from api.settings.address import Address
from api.settings.tree import OutputsSettings, WebhookSettings
from api.store.match_store import MatchStore
from api.table.event_log import MatchMeta, Row


class Receiver:
    """Answers with the next of ``answers``, then with 204; keeps what it got."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.arrived = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.arrived:
                    code = receiver.answers.pop(0) if receiver.answers else 204
                    receiver.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
                    receiver.arrived.notify_all()
                self.send_response(code)
                if 300 <= code < 400:
                    self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                """Silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/hook?key=geheim"

    def wait(self, what: Callable[[], bool]) -> bool:
        with self.arrived:
            return self.arrived.wait_for(what, timeout=10.0)

    def seqs(self) -> list[int]:
        return [json.loads(body)["seq"] for _, body in self.got]

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    running = Receiver()
    yield running
    running.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MatchStore]:
    opened = MatchStore(f"sqlite:///{tmp_path / 'a.db'}")
    opened.create(MatchMeta("m1", "icf", "", "2026-12-01T10:00:00Z", {}))
    yield opened
    opened.close()


def row(seq: int) -> Row:
    return Row(seq, "match", json.dumps({"type": "stroke", "n": seq}), "camera", "2026-12-01")


def outputs(store: MatchStore, receiver: Receiver, secret: str = "s3") -> Outputs:
    hook = WebhookSettings(url=receiver.url, secret=secret)  # type: ignore[arg-type]
    return Outputs(
        store, [Webhook("lights", hook)], first_wait_s=0.02,
        describe=lambda _match, row: {"call": f"call {row.seq}"},
    )  # fmt: skip


def test_events_arrive_in_order_and_signed(store: MatchStore, receiver: Receiver) -> None:
    """The receiver can tell that they are ours, and which it has had."""
    store.append("m1", [row(1), row(2)])
    running = outputs(store, receiver)
    running.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 2)
    store.append("m1", [row(3)])
    running.changed()
    assert receiver.wait(lambda: len(receiver.got) >= 3)
    running.close()
    assert receiver.seqs() == [1, 2, 3]
    headers, body = receiver.got[2]
    assert headers["idempotency-key"] == "m1/3"
    assert json.loads(body)["call"] == "call 3"
    told = signature("s3", headers["x-carrom-timestamp"], body)
    assert hmac.compare_digest(headers["x-carrom-signature"], told)


def test_a_receiver_that_fails_gets_everything_later(store: MatchStore, receiver: Receiver) -> None:
    """Nothing is left out, nothing overtakes."""
    receiver.answers = [500, 503, 204, 429]
    store.append("m1", [row(1), row(2)])
    running = outputs(store, receiver)
    running.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 5)
    running.close()
    assert receiver.seqs() == [1, 1, 1, 2, 2]


def test_what_is_refused_does_not_hold_up_the_rest(store: MatchStore, receiver: Receiver) -> None:
    """A receiver that does not like one event must not block the match."""
    receiver.answers = [400]
    store.append("m1", [row(1), row(2)])
    running = outputs(store, receiver)
    running.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 2)
    running.close()
    assert receiver.seqs() == [1, 2]


def test_after_a_restart_only_the_rest_is_sent(store: MatchStore, receiver: Receiver) -> None:
    """What has arrived is remembered beside the log."""
    store.append("m1", [row(1)])
    first = outputs(store, receiver)
    first.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 1)
    first.close()
    store.append("m1", [row(2)])
    second = outputs(store, receiver)
    second.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 2)
    second.close()
    assert receiver.seqs()[-1] == 2
    assert receiver.seqs().count(1) <= 2  # at least once: the note may have come too late


def test_a_redirect_is_not_followed(store: MatchStore, receiver: Receiver) -> None:
    """Whoever can redirect could send the events elsewhere."""
    receiver.answers = [302, 307]
    store.append("m1", [row(1)])
    running = outputs(store, receiver)
    running.watch("m1")
    assert receiver.wait(lambda: len(receiver.got) >= 1)
    running.close()
    assert receiver.seqs() == [1]


def test_an_address_that_nobody_answers_stops_nothing(store: MatchStore) -> None:
    """Closing does not wait for it either."""
    hook = WebhookSettings(url=Address("http://127.0.0.1:9/"))
    running = Outputs(store, [Webhook("none", hook)], first_wait_s=30.0)
    store.append("m1", [row(1)])
    running.watch("m1")
    running.close()
    assert store.delivered(Webhook("none", hook).name, "m1") == 0


def test_names_hold_no_password_and_change_with_the_address() -> None:
    """They stand in the log, and tell what has arrived where."""
    one, two = (
        Webhook("lights", WebhookSettings(url=Address(f"http://me:geheim@h/{path}"))).name
        for path in ("a", "b")
    )
    assert "geheim" not in one
    assert one != two


def test_nobody_is_told_by_default(store: MatchStore) -> None:
    """No thread either."""
    assert targets_of(OutputsSettings()) == ()
    before = threading.active_count()
    running = Outputs(store, ())
    running.watch("m1")
    running.show({"a": 1})
    assert threading.active_count() == before
    running.close()
