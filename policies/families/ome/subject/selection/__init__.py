"""The selection of a runtime for a model: whether a runtime fits, its score, the choice, and why the others weren't chosen."""
