"""The cluster's own policies, judged as kube-apiserver does: ValidatingAdmissionPolicy, and what MutatingAdmissionPolicy shares with it.

`reading` has the forms of policies and bindings, `acceptance` what the server says of them when they are written. A request goes through
`matching` and `parameters`; `environment` compiles the expressions, `inputs` has the values that they see, `evaluation` runs them within
the budgets. `validating` judges a request by all policies. What isn't known offline is never guessed: it is a `NotKnownError`, and the
policy isn't checked. Source: k8s.io/apiserver pkg/admission/plugin/policy and pkg/admission/plugin/cel, 1.37.
"""
