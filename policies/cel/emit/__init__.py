"""From a typed tree to Python that computes the value and counts what the server would count.

A program has two forms. `tracked` follows every step of the server and decides in the end. `direct` is straight Python for evaluations in
which nothing goes wrong, and gives up at anything out of the ordinary. `folding` computes what is constant beforehand, `steps` is what the
code calls, `program` compiles and runs the forms.
"""
