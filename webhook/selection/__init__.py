"""Which files of a folder are read: those that no ignore file, no `--exclude` and no usual name leaves out."""
