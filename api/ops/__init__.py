"""Running it: logs, figures, health, and the checks of `carrom doctor`."""
