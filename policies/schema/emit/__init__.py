"""Writes the functions of a schema: prune, drop nulls, default, and the predicates that find an object valid.

`assembly` generates one function for each place of the schema, when an object first reaches it. Each of the other modules writes one
kind of function; `visits` and `scalars` are the parts that they have in common.
"""
