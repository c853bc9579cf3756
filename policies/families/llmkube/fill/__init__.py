"""What LLMKube's authors leave open and a cluster needs: the mutating half of the family.

Each value is filled in only where the field is empty, with its source and its reason. On an update, what was filled in before and is
unchanged follows what it was derived from: an author who changes the vendor isn't held to a value that they never wrote. How such a
value is recognised is in `policies/families/fill`.
"""
