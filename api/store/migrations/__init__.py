"""One file a change of the tables. Run by `api.store.schema`; a new one is written by hand."""
