"""A match for other programs and for paper: JSON, CSV, `.sol`, a score sheet."""
