"""The doors to the engine: the server, the command line, and their inputs and outputs."""
