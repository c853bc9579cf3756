"""The files in the user's cache folder, which one run keeps for the next. `WEIGHBRIDGE_CACHE=off` disables it.

The modules here are imported before anything else, so they import as little as they can: `typing` alone takes longer than a whole answer.
"""
