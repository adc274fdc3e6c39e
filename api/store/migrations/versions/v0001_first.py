"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables. Written out: this file must not change when `tables.py` does."""
    op.create_table(
        "match",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("started", sa.String(32), nullable=False),
        sa.Column("changed", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
    )
    op.create_index("match_changed", "match", ["changed"])
    op.create_table(
        "player",
        _match_key(),
        sa.Column("seat", sa.String(1), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_index("player_name", "player", ["name"])
    op.create_table(
        "event",
        _match_key(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
    )
    op.create_table(
        "clip",
        _match_key(),
        sa.Column("stroke_id", sa.String(64), primary_key=True),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("clip_at", "clip", ["at"])
    op.create_table(
        "kept",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "delivery",
        sa.Column("target", sa.Text, primary_key=True),
        _match_key(),
        sa.Column("seq", sa.Integer, nullable=False),
    )


def _match_key() -> sa.Column[str]:
    return sa.Column(
        "match_id", sa.String(64), sa.ForeignKey("match.id", ondelete="CASCADE"), primary_key=True
    )
