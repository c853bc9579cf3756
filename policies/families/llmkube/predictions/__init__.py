"""The objects that the LLMKube operator will create, in its order and words. A kind that needs more than one module has a folder, whose
`reconcile` takes the operator's steps. The result for each kind is a `Prediction`.
"""
