"""The app: command line, table service, HTTP and WebSocket, storage. Imports all the others."""
