"""What llmaz's controllers will do with an object.

For a Playground or a Service: its runtime, recommended configuration and flavor, and where each value comes from; the Service, the
LeaderWorkerSet with the loader and the autoscaler that the controllers create, or the error that they repeat. For an OpenModel: which nodes
could serve each flavor, why the others can't, and what upstream's webhooks change.
"""
