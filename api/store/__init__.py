"""Where matches are kept: an append-only log in SQLite, or in PostgreSQL by URL."""
