"""From views of a table to what happened on it: tracks, strokes, outcomes. Pure, fed by views."""
