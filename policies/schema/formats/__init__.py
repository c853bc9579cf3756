"""The formats of strings that a schema can require.

`predicates` has a predicate for each format; a format that needs more than a regular expression has its own module.
"""
