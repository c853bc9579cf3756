"""What the LLMKube operator will make for its objects, in its own order and words: a room for each kind that takes more than one module.
Each ends in a `Prediction`; `reconcile` of a room walks the operator's steps.
"""
