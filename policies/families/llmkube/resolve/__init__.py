"""What the LLMKube operator makes of its objects, in its own order and words: a room for each kind that is more than one module.

Each ends in an `Effective`: the objects that are created, the status, the failure. `reconcile` of a room walks the operator's steps.
"""
