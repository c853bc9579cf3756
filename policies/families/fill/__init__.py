"""What all families do when they fill in: they fill what is open, keep it up to date, and leave alone what its author wrote.

What is filled in is recorded on the object itself (`record`). A value counts as filled in if the record tells of it, it still stands there,
and nothing says that its author wrote it (`authorship`). It is then worked out anew with every update of the object, and what no longer
follows from what it was derived from is found without an update, too (`staleness`).
"""
