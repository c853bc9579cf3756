"""What inference engines read of their command lines: which flags they know, and which of several settings wins.

One module an engine with its flags, by the version that its docstring names. `engines.py` finds an engine by the program or the image that
is started. Of an engine without a table nothing is said.
"""
