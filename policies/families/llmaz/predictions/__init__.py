"""What llmaz makes of an object.

The runtime, its recommended configuration and the flavor that a Playground or a Service ends with, and where each value comes from; the
Service, the LeaderWorkerSet with the loader and the autoscaler that come of it, or the error that the controller repeats. Of an OpenModel
it is told which nodes could serve each flavor, and why the others can't, and what upstream's webhooks store otherwise than it came.
"""
