"""Findings that are ignored: by comments, annotations, the settings of a run, and a baseline. They become notes and are still listed."""
