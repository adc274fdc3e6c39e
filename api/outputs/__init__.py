"""Telling others what happens at the table: webhooks and MQTT. Nobody is told by default."""
