"""Settings: who wins, what is refused, what is written and what is hidden."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest

from api.settings.address import hidden
from api.settings.keys import all_keys
from api.settings.load import load_settings
from api.settings.patch import PAGE_KEYS, nested, patch_settings, shown
from api.settings.places import Places, places
from api.settings.save import save_settings
from api.settings.settings_error import SettingsError
from api.settings.tree import Settings


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    for name in list(os.environ):
        if name.startswith("CARROM_"):
            monkeypatch.delenv(name)
    return Places(tmp_path, tmp_path, tmp_path)


def test_options_beat_environment_beats_file_beats_default(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearer to the moment something was said, the more it counts."""
    where.settings_file.write_text("[serve]\nport = 1000\ntls_port = 1001\nmax_viewers = 7\n")
    monkeypatch.setenv("CARROM_SERVE__PORT", "2000")
    monkeypatch.setenv("CARROM_SERVE__TLS_PORT", "2001")
    serve = load_settings(where, {"serve": {"port": 3000}}).serve
    assert (serve.port, serve.tls_port, serve.max_viewers) == (3000, 2001, 7)
    assert serve.host == "127.0.0.1"


def test_everything_wrong_is_told_at_once_with_what_was_meant(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typo that is silently ignored is a setting that does not work, and nobody knows why."""
    where.settings_file.write_text('[serve]\nprot = 1\n[tabel]\nx = 1\n[table]\nlanguage = "fr"\n')
    monkeypatch.setenv("CARROM_CAMERA__FSP", "30")
    with pytest.raises(SettingsError) as caught:
        load_settings(where, {"serve": {"port": 0}})
    found = {problem.key: str(problem) for problem in caught.value.problems}
    file = str(where.settings_file)
    assert found["serve.prot"].startswith("serve.prot: unknown; did you mean serve.port")
    assert found["tabel"] == f"tabel: unknown; did you mean table? ({file})"
    assert "camera.fps" in found["camera.fsp"]
    assert "environment" in found["camera.fsp"]
    assert "'en', 'ja', 'sv' or 'hi'" in found["table.language"]
    assert "got 0 (option)" in found["serve.port"]


@pytest.mark.parametrize("name", ["CARROM_SERV__PORT", "CARROM_PORT"])
def test_a_variable_that_sets_nothing_is_told(
    where: Places, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """In a service file nobody sees that it is never read."""
    monkeypatch.setenv(name, "1")
    with pytest.raises(SettingsError, match=f"{name}: unknown"):
        load_settings(where)


@pytest.mark.parametrize("text", ["[serve", "port == 1", "\x00", "a = 1\na = 2"])
def test_a_file_that_is_no_toml_is_named(where: Places, text: str) -> None:
    """With its place, for it is one of two."""
    where.settings_file.write_text(text)
    with pytest.raises(SettingsError, match=r"not TOML.*settings\.toml"):
        load_settings(where)


def test_a_section_that_is_no_table_is_told(where: Places) -> None:
    """``serve = 8000`` instead of ``[serve] port = 8000``."""
    where.settings_file.write_text("serve = 8000\n")
    with pytest.raises(SettingsError, match="serve: "):
        load_settings(where)


def test_writing_keeps_comments_and_what_was_not_changed(where: Places) -> None:
    """People explain their settings to themselves."""
    text = "# ours\n[serve]\nport = 1000 # the hall's\n\n[voice]\non = false\n"
    where.settings_file.write_text(text)
    save_settings(where, {"voice": {"on": True}, "camera": {"fps": 60.0}})
    new = where.settings_file.read_text()
    assert new.startswith("# ours\n[serve]\nport = 1000 # the hall's\n\n[voice]\non = true\n")
    settings = load_settings(where)
    assert (settings.camera.fps, settings.voice.on, settings.serve.port) == (60.0, True, 1000)
    save_settings(where, {"camera": {"fps": None}})
    assert load_settings(where).camera.fps == 30.0


def test_passwords_lie_in_a_file_of_their_own(where: Places) -> None:
    """Settings are copied into forum posts."""
    save_settings(
        where,
        {
            "camera": {"source": "rtsp://me:pass-word@cam/1"},
            "outputs": {"mqtt": {"host": "broker", "password": "word-pass"}},
        },
    )
    plain = where.settings_file.read_text()
    assert "pass" not in plain
    assert tomllib.loads(plain)["outputs"]["mqtt"] == {"host": "broker"}
    assert stat.S_IMODE(where.secrets_file.stat().st_mode) == 0o600 or os.name != "posix"
    settings = load_settings(where)
    assert settings.camera.source.get_secret_value() == "rtsp://me:pass-word@cam/1"
    assert settings.outputs.mqtt.password.get_secret_value() == "word-pass"
    for text in (repr(settings), str(shown(settings)), settings.model_dump_json()):
        assert "pass-word" not in text
        assert "word-pass" not in text
    save_settings(where, {"camera": {"source": "usb:1"}})  # and the old one does not win
    assert load_settings(where).camera.source.get_secret_value() == "usb:1"


def test_a_file_that_cannot_be_written_is_as_it_was(where: Places) -> None:
    """Broken by an editor: not overwritten by a click on the page."""
    where.settings_file.write_text("[serve\n")
    with pytest.raises(SettingsError, match="not TOML"):
        save_settings(where, {"voice": {"on": False}})
    assert where.settings_file.read_text() == "[serve\n"
    blocked = Places(where.config / "settings.toml" / "x", where.data, where.logs)
    with pytest.raises(SettingsError, match="cannot be"):
        save_settings(blocked, {"voice": {"on": False}})
    assert [p.name for p in where.config.iterdir()] == ["settings.toml"]


def test_a_page_changes_what_it_may(where: Places) -> None:
    """And sees why not, by field."""
    settings = patch_settings(Settings(), {"voice": {"rate": 1.5}, "table": {"language": "ja"}})
    assert (settings.voice.rate, settings.table.language) == (1.5, "ja")
    with pytest.raises(SettingsError) as caught:
        patch_settings(settings, {"voice": {"rate": 9, "language": "xx"}})
    assert sorted(caught.value.by_field()) == ["voice.language", "voice.rate"]
    with pytest.raises(SettingsError) as caught:
        patch_settings(
            settings,
            {"serve": {"lan": True}, "camera": {"source": "http://10.0.0.1/"}, "voice": {"no": 1},
             "outputs": {"webhooks": {"x": {"url": "http://10.0.0.1/"}}}},
        )  # fmt: skip
    told = caught.value.by_field()
    assert told["serve.lan"] == "can be changed on the machine itself only"
    assert told["camera.source"] == told["serve.lan"] == told["outputs.webhooks.x.url"]
    assert told["voice.no"].startswith("unknown")


@pytest.mark.parametrize(
    "data", [None, [], "x", {"voice": 1}, {"voice": {"on": {"a": 1}}}, {"": 1}]
)
def test_odd_requests_are_refused(data: object) -> None:
    """Anything may be posted."""
    with pytest.raises(SettingsError):
        patch_settings(Settings(), data)


def test_the_environment_does_not_win_over_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree itself is plain: it looks nowhere."""
    monkeypatch.setenv("CARROM_VOICE__RATE", "2.0")
    assert patch_settings(Settings(), {"voice": {"rate": 1.5}}).voice.rate == 1.5
    assert Settings().voice.rate == 1.0


def test_a_page_may_change_nothing_that_makes_us_call_a_host() -> None:
    """Whoever adds an address to the tree must think of this."""
    assert not {key for key in PAGE_KEYS if key.endswith(("url", "source", "host"))}
    assert set(all_keys()) >= PAGE_KEYS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rtsp://me:p@ss@h:554/x?key=abc&b=1", "rtsp://…@h:554/x?key=…&b=…"),
        ("open http://h/x?token=1 and https://u@h/", "open http://h/x?token=… and https://…@h/"),
        ("no address? a=1", "no address? a=1"),
        ("postgresql+psycopg://u:p@h/db", "postgresql+psycopg://…@h/db"),
        ("http://h/a@b", "http://h/a@b"),
    ],
)
def test_addresses_are_told_without_passwords(text: str, said: str) -> None:
    """In every message and every log."""
    assert hidden(text) == said


def test_one_folder_can_hold_everything(tmp_path: Path) -> None:
    """A stick in a club's drawer."""
    assert places({"CARROM_HOME": str(tmp_path)}) == Places(tmp_path, tmp_path, tmp_path / "logs")
    assert places({}).settings_file.name == "settings.toml"


def test_dotted_keys_become_tables() -> None:
    """``--set serve.port=1``."""
    assert nested("serve.port", 1) == {"serve": {"port": 1}}
