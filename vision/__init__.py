"""From frames to what happened on the table. Never imports the rules."""
