"""Cases as data, for `weighbridge test`: an object with its cluster, and its expected verdict."""
