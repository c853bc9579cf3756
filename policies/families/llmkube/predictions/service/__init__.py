"""The prediction for an InferenceService: Deployment, Service, autoscaler and status, and the operator's refusals.

`reconcile` takes the steps in the operator's order; `workload` has the input of each step.
"""
