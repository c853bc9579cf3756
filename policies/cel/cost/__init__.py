"""The worst-case cost of a rule, by which the server accepts or refuses a new one.

`estimate` adds up the costs of a typed tree, and `sizes` knows how large its values can be. The overloads in `library` declare the
estimated cost of a call and its cost at run time; the emitters write the other costs of a run.
"""
