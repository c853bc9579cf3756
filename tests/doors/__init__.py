"""The same cases through every door."""
