"""The command line as a user meets it: files that are wrong, options that contradict, output that goes to a pipe."""
