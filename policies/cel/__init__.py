"""The Common Expression Language of kube-apiserver: compiles the rules of CRDs, estimates their cost and runs them.

A text becomes a tree (`syntax`), the tree gets types (`check`), which give its worst-case cost (`cost`) and the Python that it becomes
(`emit`); `rules` does that for a CRD. `values` are what expressions compute with, `library` the functions that they call, `versions`
which Kubernetes brought what.
Sources: https://github.com/google/cel-spec, cel-go 0.26, k8s.io/apiserver 0.36.
"""
