"""The objects that OME's controllers create for an object.

For an InferenceService: its model, its runtime and why OME doesn't use the others, the accelerator class of each component, and its
workloads, merged from service and runtime, with the source of each value. For a BenchmarkJob: its Job, or why OME creates none.
"""
