"""The command line, one file per command; a command's file is imported only when it runs."""
