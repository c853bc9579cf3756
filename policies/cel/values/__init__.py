"""The values of CEL, their types, and how an object's JSON reads as such values.

`types` and `declared` say what a value may be, the second by the schema of its place. `values` are those that run; `data`
reads JSON as values, `access` reaches into them, `equality` compares them. `times`, `calendar`, `addresses` and `urls` read texts
as Go does. `outcome` holds the limits of an evaluation, and `growth` keeps values from outgrowing them.
"""
