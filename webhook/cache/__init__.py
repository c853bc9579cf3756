"""What is kept in the user's cache folder from one run to the next. `WEIGHBRIDGE_CACHE=off` does without.

The modules here are imported before anything else, so they import as little as they can: `typing` alone takes longer than a whole answer.
"""
