"""`make mutants`: a sample of small changes to the code, each of which some test should notice."""
