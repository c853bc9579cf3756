"""The objects that the LLMKube operator will create, in its order and words: a room for each kind with more than one module.
Each ends in a `Prediction`; `reconcile` of a room takes the operator's steps.
"""
