"""What inference engines read of their command lines: which flags they know, and which of several settings wins.

Each engine has a data file with its flags, of the version that the file names. `engines.py` finds an engine by the program or the image of
a container. Rules say nothing of an engine without a table.
"""
