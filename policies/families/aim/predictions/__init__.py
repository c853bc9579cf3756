"""What AIM's operators make of a service.

Which runtime configs apply and what each of their fields comes to, with the object that it is from; which model and which template the
operator resolves, and why it leaves out the others; the environment, resources, node affinity and replicas of the InferenceService that it
makes, the path of its route, and the volumes of its weights. What only a discovery job finds out (the profile of a template, its sources)
is read from the status of the object in the cluster; where it isn't there, the prediction says so.
"""
