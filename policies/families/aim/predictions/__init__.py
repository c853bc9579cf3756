"""What AIM's operators will do with a service.

A prediction has the runtime configs that apply, each field with its value and the object that it is from; the model and the template that
the operator chooses, and why it leaves out the others; the environment, resources, node affinity and replicas of the InferenceService; the
path of the route; the caches of the weights that are used or made, with their claims; and the model or the template that the operator makes
for the service. The profile of a template and its sources are found by a discovery job: they are read from the status of the object in the
cluster, as they are written there. If they aren't there, the prediction says so.

Of aim-engine's other kinds a model is predicted with its templates, a template with its status and its cache or its job, a template cache
with its artifacts, and an artifact with its claim.
"""
