"""The values of CEL, their types, and how an object's JSON reads as such values.

`types` and `declared` define the types of values, the second by the schema of the value's place. `values` are the values at run
time; `data` reads JSON as values, `access` reads their parts, and `equality` compares them. `times`, `calendar`, `addresses` and
`urls` read texts as Go does. `outcome` holds the limits of an evaluation, and `growth` keeps values from outgrowing them.
"""
