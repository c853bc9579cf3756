"""How inference engines read their command lines: the flags that they know, and which of several settings wins.

Each engine has a data file with its flags, of the version that the file names. `engines.py` finds an engine by the program or the image of
a container. Rules ignore an engine without a table.
"""
