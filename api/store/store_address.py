"""Where the matches are, by the settings."""

from pathlib import Path

from api.settings.places import Places
from api.settings.tree import Settings

__all__ = ["clips_folder", "store_url"]


def store_url(where: Places, settings: Settings) -> str:
    """``store.url``, or SQLite in the user's data folder."""
    url = settings.store.url.get_secret_value()
    return url or f"sqlite:///{where.data / 'matches.db'}"


def clips_folder(where: Places, settings: Settings) -> Path:
    """``store.clips``, or a folder beside the matches."""
    clips = settings.store.clips
    return Path(clips).expanduser() if clips else where.data / "clips"
