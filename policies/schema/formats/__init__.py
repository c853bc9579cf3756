"""The formats of strings that a schema can ask for.

`predicates` has one for each format; what takes more than a regular expression to read has a module of its own.
"""
