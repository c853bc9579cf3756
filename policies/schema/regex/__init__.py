"""Which regular expressions Python's own engine may run in RE2's place, with the same result and in linear time.

`syntax` parses a plain subset of RE2 and writes it anew, `nodes` is what it parses into, and `ambiguity` decides whether a backtracking
search is linear.
"""
