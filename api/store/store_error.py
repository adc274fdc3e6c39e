"""What can go wrong with the place where matches are kept."""

from carrom.errors import CarromError

__all__ = ["NewerStoreError", "StoreError", "StoreFullError", "StoreInUseError"]


class StoreError(CarromError):
    """The store cannot be read or written; ``where``: file or address, without a password;
    ``advice``: what a person can do."""

    def __init__(self, where: str, reason: str, advice: str = "") -> None:
        self.where = where
        self.reason = reason
        self.advice = advice
        super().__init__(f"{where}: {reason}" + (f". {advice}" if advice else ""))


class StoreFullError(StoreError):
    """No room on the disk. What was stored before is safe; what was refused is not stored."""


class StoreInUseError(StoreError):
    """Another process writes to this store."""


class NewerStoreError(StoreError):
    """The store was made by a newer version of this program."""
