"""Judges other people's manifests on three clusters, to see what would be refused: `python -m tests.programs.sweep PATH...`."""
