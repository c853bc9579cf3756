"""Which runtime serves a model: whether one fits, its score, the choice, and why none of the others was chosen."""
