"""What OME's controllers make for an object.

Which model an InferenceService gets, which runtime and why none of the others, and which class of accelerators each component gets; its
workloads, merged from service and runtime, with the source of each value. The Job of a BenchmarkJob, or why there is none.
"""
