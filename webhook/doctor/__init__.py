"""`weighbridge doctor`: looks at a live installation, and says what is wrong with it and what to run."""
