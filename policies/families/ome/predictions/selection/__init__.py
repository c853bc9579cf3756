"""Which runtime serves a model: whether one fits, what it scores, which is taken, and why none of the others."""
