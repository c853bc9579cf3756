"""The values of CEL, their types, and how an object's JSON is read as such values.

`types` and `declared` define the types of values; `declared` derives them from the schema. `values` are the values at run
time; `data` reads JSON as values, `access` reads their parts, and `equality` compares them. `times`, `calendar`, `addresses` and
`urls` read texts as Go does. `outcome` holds the limits of an evaluation, and `growth` stops values that grow beyond them.
"""
