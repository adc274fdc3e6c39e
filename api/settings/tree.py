"""The settings, section by section. Unknown names are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from api.settings.address import Address

__all__ = [
    "AdviceSettings",
    "CameraSettings",
    "LogSettings",
    "MqttSettings",
    "OutputsSettings",
    "ServeSettings",
    "Settings",
    "StoreSettings",
    "TableSettings",
    "VoiceSettings",
    "WebhookSettings",
]

Language = Literal["en", "ja", "sv", "hi"]
Port = Annotated[int, Field(ge=1, le=65535)]
TopicPart = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^/+#\x00\s]+$")]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class TableSettings(_Section):
    """What a new match begins with."""

    language: Language = "en"
    mode: Literal["casual", "tournament"] = "casual"
    rules: str = "icf"
    """A ruleset, or the path of a club's .toml file."""


class CameraSettings(_Section):
    """``source`` as in docs/cameras.md; empty: ask. ``lock``: hold exposure, focus and white
    balance once the board has been found."""

    source: Address = Address("")
    width_px: Annotated[int, Field(ge=320, le=7680)] = 1920
    height_px: Annotated[int, Field(ge=240, le=4320)] = 1080
    fps: Annotated[float, Field(ge=5, le=240)] = 30.0
    lock: bool = True


class ServeSettings(_Section):
    """``lan``: other machines may come in, over TLS and after pairing; the caps keep one guest from
    taking everything."""

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Port = 8000
    lan: bool = False
    tls_port: Port = 8443
    open_browser: bool = True
    max_viewers: Annotated[int, Field(ge=1, le=500)] = 24
    max_upload_mib: Annotated[float, Field(gt=0, le=64)] = 4.0
    max_picture_mpx: Annotated[float, Field(gt=0, le=64)] = 9.0
    max_phone_fps: Annotated[float, Field(gt=0, le=120)] = 40.0


class StoreSettings(_Section):
    """``url`` empty: SQLite in the user's data folder; ``clips`` empty: beside it. ``keep_days``: 0
    keeps clips for ever."""

    url: Address = Address("")
    clips: str = ""
    quota_mib: Annotated[int, Field(ge=0, le=10_000_000)] = 2000
    keep_days: Annotated[float, Field(ge=0, le=36500)] = 90.0


class AdviceSettings(_Section):
    """Suggestions; a tournament locks them whatever is set here."""

    on: bool = True
    skill: Literal["casual", "club", "strong"] = "club"


class VoiceSettings(_Section):
    """The caller in the browser. ``language`` empty: that of the table."""

    on: bool = True
    language: Literal["", "en", "ja", "sv", "hi"] = ""
    rate: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0


class WebhookSettings(_Section):
    """Events are posted to ``url``; ``secret`` signs them."""

    url: Address
    secret: SecretStr = SecretStr("")

    @field_validator("url")
    @classmethod
    def _http(cls, value: Address) -> Address:
        if not value.get_secret_value().startswith(("http://", "https://")):
            raise ValueError("expected an address that begins with http:// or https://")
        return value


class MqttSettings(_Section):
    """``host`` empty: off. Topics begin with ``carrom/hall/board``."""

    host: str = ""
    port: Port = 1883
    tls: bool = False
    username: str = ""
    password: SecretStr = SecretStr("")
    hall: TopicPart = "home"
    board: TopicPart = "1"


class OutputsSettings(_Section):
    """Who else is told; nobody by default."""

    webhooks: dict[TopicPart, WebhookSettings] = Field(default_factory=dict)
    mqtt: MqttSettings = MqttSettings()


class LogSettings(_Section):
    """``file``: also into a rotating file in the log folder."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    file: bool = True
    json_lines: Literal["auto", "always", "never"] = "auto"


class Settings(_Section):
    """All of them."""

    table: TableSettings = TableSettings()
    camera: CameraSettings = CameraSettings()
    serve: ServeSettings = ServeSettings()
    store: StoreSettings = StoreSettings()
    advice: AdviceSettings = AdviceSettings()
    voice: VoiceSettings = VoiceSettings()
    outputs: OutputsSettings = OutputsSettings()
    log: LogSettings = LogSettings()
