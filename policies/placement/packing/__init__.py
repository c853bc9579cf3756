"""Do pods fit together on an empty cluster? Equal pods and equal nodes are taken together; "no" is said only where it is proven."""
