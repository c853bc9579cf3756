"""How all families fill in empty fields, keep the values up to date, and preserve the author's values.

The object itself has a record of the filled-in values (`record`). A value counts as filled in if the record has it, the field still has it,
and nothing shows that the author wrote it (`authorship`). Weighbridge computes it again with every update of the object, and `staleness`
finds a value that no longer follows from its sources without an update.
"""
