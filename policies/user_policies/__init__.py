"""Policies of the configuration: the user's own rules, written in CEL, with types and limits as in the API server.

`vocabulary` has the variables with their types, and `environment` the names that expressions may use. `compiling` turns texts into typed
trees or faults, and `compiled_policy` turns policies into programs for one kind. `inputs` has the values of one review, computed when they
are first needed: `effective` the objects that will be created, `placed` the nodes that could run the pods, `lookups` the objects of the
cluster. `verdict` evaluates the policies. Nothing of this is imported if the configuration has no policies.
"""
