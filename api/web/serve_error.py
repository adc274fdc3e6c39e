"""Why a server did not start."""

from carrom.errors import CarromError

__all__ = ["ServeError"]


class ServeError(CarromError):
    """The server cannot listen as asked; the message says what to do."""
