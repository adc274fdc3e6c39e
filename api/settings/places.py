"""The folders of this program on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["HOME", "Places", "places"]

HOME = "CARROM_HOME"
"""Environment variable: one folder for everything, in place of those of the system."""


@dataclass(frozen=True, slots=True)
class Places:
    """``config``: what people set; ``data``: matches, clips, keys; ``logs``."""

    config: Path
    data: Path
    logs: Path

    @property
    def settings_file(self) -> Path:
        """Settings as TOML."""
        return self.config / "settings.toml"

    @property
    def secrets_file(self) -> Path:
        """Passwords as TOML, for the owner only."""
        return self.config / "secrets.toml"


def places(env: Mapping[str, str] = os.environ) -> Places:
    """Where this system keeps such things; nothing is made or looked at."""
    home = env.get(HOME, "").strip()
    if home:
        root = Path(home).expanduser()
        return Places(config=root, data=root, logs=root / "logs")
    import platformdirs

    name = "carrom-umpire"
    return Places(
        config=platformdirs.user_config_path(name, appauthor=False),
        data=platformdirs.user_data_path(name, appauthor=False),
        logs=platformdirs.user_log_path(name, appauthor=False),
    )
