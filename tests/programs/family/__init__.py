"""`make family`: a small family to begin with, written from the CRD of its kind."""
