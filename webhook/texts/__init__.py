"""JSON, YAML and plain text, read and written: syntax, width, escapes, streams, log."""
