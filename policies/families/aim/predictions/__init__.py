"""The objects that AIM's operators will create for a service.

A prediction shows the runtime configs that apply, each field with its value and its source; the model and the template that the operator
chooses, and why it excludes the others; the environment, resources, node affinity and replicas of the InferenceService; the path of the
route; the caches of the weights that the operator uses or creates, with their claims; and the model or the template that the operator
creates for the service. A discovery job finds the profile of a template and its sources: Weighbridge reads them from the status of the
object in the cluster. If the status lacks them, the prediction reports it.

For aim-engine's other kinds, the prediction of a model has its templates, of a template its status and its cache or its job, of a
template cache its artifacts, and of an artifact its claim.
"""
