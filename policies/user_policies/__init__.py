"""Policies of the configuration: rules of the user's own, written in CEL, typed and bounded as those of the API server.

`vocabulary` has the variables with their types and `environment` what expressions may name. `compiling` turns texts into typed trees or
faults, and `compiled_policy` policies into programs for one kind. `inputs` has the values of one review, worked out when they are first
needed: `effective` what will be made, `placed` where its pods could run, `lookups` the objects of the cluster. `verdict` asks the policies.
Nothing of this is imported where the configuration has no policies.
"""
