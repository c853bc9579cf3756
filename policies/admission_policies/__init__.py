"""The cluster's own policies, evaluated as by kube-apiserver: ValidatingAdmissionPolicy, and what MutatingAdmissionPolicy shares with it.

`reading` reads policies and bindings, and `acceptance` checks them as the server does when they are written. A request goes through
`matching` and `parameters`; `environment` compiles the expressions, `inputs` has the values that they see, and `evaluation` runs them
within the budgets. `validation` evaluates all policies for a request. A value that isn't known offline is never guessed: it is a
`NotKnownError`, and the policy isn't checked. Source: k8s.io/apiserver pkg/admission/plugin/policy and pkg/admission/plugin/cel, 1.37.
"""
