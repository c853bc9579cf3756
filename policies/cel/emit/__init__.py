"""From a typed tree to Python that computes the value and counts what the server would count.

A program has three forms. `tracked` follows every step of the server and decides in the end. `direct` is straight Python for evaluations
in which nothing goes wrong, and `short_circuit` is a direct form that returns as soon as a rule is decided; both give up at anything out of
the ordinary. `folding` computes what is constant beforehand, `steps` is what the code calls, `program` compiles and runs the forms.
"""
