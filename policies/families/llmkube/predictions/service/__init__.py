"""The prediction for an InferenceService: Deployment, Service, autoscaler and status, and what the operator refuses.

`reconcile` walks the operator's own order; `workload` is what each of its steps looks at.
"""
