"""Settings of a run: the values of command line options that aren't given. This package itself imports nothing."""
