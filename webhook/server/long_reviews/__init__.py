"""Reviews that take long, and the copies of the process that judge them."""
