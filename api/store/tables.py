"""The tables. Column comments are the reference for whoever reads the file with other tools."""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

__all__ = [
    "clip_table",
    "delivery_table",
    "event_table",
    "kept_table",
    "match_table",
    "metadata",
    "player_table",
]

metadata = MetaData()

match_table = Table(
    "match",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("started", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("changed", String(32), nullable=False, comment="of the latest event"),
    Column("rules", String(32), nullable=False),
    Column("title", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Index("match_changed", "changed"),
)

player_table = Table(
    "player",
    metadata,
    Column("match_id", ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(1), primary_key=True),
    Column("name", Text, nullable=False),
    Index("player_name", "name"),
)

event_table = Table(
    "event",
    metadata,
    Column("match_id", ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False, comment="from 1, no gaps"),
    Column("kind", String(16), nullable=False, comment="match: an event of the referee; table"),
    Column("at", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("body", Text, nullable=False, comment="JSON"),
    Column("actor", Text, nullable=False, comment="who said so"),
)
"""Rows are added, never changed."""

clip_table = Table(
    "clip",
    metadata,
    Column("match_id", ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("stroke_id", String(64), primary_key=True),
    Column("file", Text, nullable=False, comment="name inside the clips folder"),
    Column("bytes", Integer, nullable=False),
    Column("at", String(32), nullable=False),
    Index("clip_at", "at"),
)

kept_table = Table(
    "kept",
    metadata,
    Column("key", Text, primary_key=True),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False, comment="JSON: calibrations, masks, the last set-up"),
)

delivery_table = Table(
    "delivery",
    metadata,
    Column("target", Text, primary_key=True, comment="a webhook or broker, without a password"),
    Column("match_id", ForeignKey("match.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False, comment="the last event that arrived there"),
)
