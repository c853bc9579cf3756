"""From a typed tree to Python that computes the value and counts the cost as the server does.

A program has two forms. `tracked` follows every step of the server, and its result is final. `direct` is plain Python for evaluations
without an error. It gives up at anything unusual. `folding` computes constants in advance, `steps` has the functions that the code calls,
and `program` compiles and runs the forms.
"""
