"""What AIM's operators will do with a service.

A prediction has the runtime configs that apply, each field with its value and the object that it is from; the model and the template that
the operator chooses, and why it leaves out the others; the environment, resources, node affinity and replicas of the InferenceService;
the path of the route, and the volumes of the weights. The profile of a template and its sources are found by a discovery job: they are read
from the status of the object in the cluster. If they aren't there, the prediction says so.
"""
