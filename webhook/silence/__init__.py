"""Findings that are ignored: by comments, annotations, the settings of a run, and a baseline. They are notes then, and stay listed."""
