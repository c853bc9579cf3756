"""The selection of a runtime for a model: whether each runtime fits, its score, the choice, and the reasons against the others."""
