"""What OME's controllers make of an object.

Which model an InferenceService resolves, which runtime is selected and why none of the others, and which class of accelerators each
component gets; the Job of a BenchmarkJob, and why none is made. The workloads of an
InferenceService, merged of service and runtime, with the source of each value.
"""
