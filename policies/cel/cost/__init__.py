"""What a rule can cost at most, which decides whether the server takes a new one.

`estimate` adds up a typed tree, `sizes` knows how large the values in it can be. What a call is estimated to cost, and what it costs when
it runs, is declared with its overload in `library`; the emitters write out the rest of the costs of a run.
"""
