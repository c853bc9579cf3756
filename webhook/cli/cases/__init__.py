"""Cases as data: an object with its cluster, and the verdict that is expected of it; what `weighbridge test` reads, asks and compares."""
