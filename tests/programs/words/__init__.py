"""The texts of a family that people read: `make words` writes them, and tests compare them."""
