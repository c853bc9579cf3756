"""The files that `weighbridge export` writes, and its messages about what can't be exported."""
