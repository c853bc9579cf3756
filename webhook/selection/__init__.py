"""The files of a folder that are read: those that no ignore file, no `--exclude` and no usual name excludes."""
