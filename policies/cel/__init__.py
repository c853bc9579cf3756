"""The Common Expression Language of kube-apiserver: compiles the rules of CRDs, estimates their cost and runs them.

`syntax` parses a text to a tree, `check` adds types to it, `cost` estimates its worst-case cost, and `emit` turns it into Python;
`rules` does all of that for a CRD. `values` has the values of expressions, `library` their functions, and `versions` the version of
Kubernetes that added each part. Sources: https://github.com/google/cel-spec, cel-go 0.26, k8s.io/apiserver 0.36.
"""
