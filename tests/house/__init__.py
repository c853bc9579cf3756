"""What holds for every test, whatever it is about: no network, no order, no missing vector, and words for what failed."""
