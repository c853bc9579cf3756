"""How all families fill in open fields: they keep the values up to date, and leave alone what the author wrote.

The object itself has a record of the filled-in values (`record`). A value is a filled-in one if the record has it, the field still has it,
and nothing says that the author wrote it (`authorship`). Every update of the object computes it anew, and `staleness` finds a value that no
longer follows from its sources without an update.
"""
