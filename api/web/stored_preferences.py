"""The settings of this machine as a page sees and changes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from api.settings.patch import patch_settings, shown
from api.settings.places import Places
from api.settings.save import save_settings
from api.settings.tree import Settings

__all__ = ["StoredPreferences"]


class StoredPreferences:
    """Changes are checked, then kept in the user's file. ``changed`` is told the new ones."""

    def __init__(
        self,
        where: Places,
        settings: Settings,
        changed: Callable[[Settings], None] = lambda _: None,
    ) -> None:
        self._where, self._settings, self._changed = where, settings, changed
        self._lock = threading.Lock()

    def read(self) -> Mapping[str, Any]:
        """All of them, passwords masked."""
        return shown(self._settings)

    def change(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Change some. Raises ``SettingsError``; nothing is changed then."""
        with self._lock:
            asked = patch_settings(self._settings, data)
            save_settings(self._where, data)
            self._settings = asked
            self._changed(asked)
            return shown(asked)
