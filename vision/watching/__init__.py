"""From frames to views of a table: what has changed, when to look, whether a frame can be used."""
