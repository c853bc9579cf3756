"""`weighbridge doctor`: examines a live installation, and reports its problems and the commands that solve them."""
