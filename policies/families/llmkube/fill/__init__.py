"""Fields of LLMKube's objects that Weighbridge fills in if the author left them empty: the mutating half of the family.

Weighbridge fills in a value only if the field is empty, with its source and its reason. On an update, an unchanged filled-in value
follows its sources: an author who changes the vendor isn't bound to a value that they never wrote. `policies/families/fill`
recognises such a value.
"""
