"""The objects that llmaz's controllers will create for an object.

For a Playground or a Service: its runtime, recommended configuration and flavor, with the source of each value; the Service, the
LeaderWorkerSet with the loader and the autoscaler that the controllers create, or the error that they repeat. For an OpenModel: the nodes
that fit each flavor, why the others don't, and the changes by upstream's webhooks.
"""
