"""What OME's controllers make of an object.

Which model an InferenceService resolves, which runtime is selected and why none of the others, and which class of accelerators each
component gets; then the pods that runtime, class and service make together.
"""
