"""What LLMKube's authors leave open and a cluster needs: the mutating half of the family.

Each value is filled in only where nothing stands, with its source and its reason. On an update, what was filled in before and still
stands there follows what it was derived from: who changes the vendor isn't held to a value that they never wrote. How that is told
stands in `policies/families/fill`.
"""
