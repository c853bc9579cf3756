"""Finds kube-controller-manager's warnings about a stored ValidatingAdmissionPolicy, in ``status.typeChecking.expressionWarnings``.

`kinds` finds the kinds that a policy is checked against, `schemas` their types, `checks` compiles each validation for each of them, and
`advice` says what to do about a warning. Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/typechecking.go, 1.34 to 1.37.
"""
