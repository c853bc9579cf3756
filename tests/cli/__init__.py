"""The command line as a user sees it: wrong files, contradicting options, output into a pipe."""
