"""The table on HTTP and WebSocket: what ``docs/protocol.md`` describes, guarded for a LAN."""
