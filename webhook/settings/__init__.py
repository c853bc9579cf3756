"""Settings of a run: where the command line's options come from if they aren't given. Nothing is imported here by itself."""
