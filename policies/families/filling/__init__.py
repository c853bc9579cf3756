"""What the defaults of all families do: fill in what stands open, keep it up to date, and leave alone what its author wrote.

A value counts as filled in if it is what would have been filled into the stored object, the update leaves it, and nothing says that its
author wrote it (see `authorship`).
"""
