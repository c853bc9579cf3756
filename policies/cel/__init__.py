"""The Common Expression Language as kube-apiserver 1.36 speaks it: compiles, prices and runs the rules of CRDs.

Text to tree (`parser`, `syntax_tree`), tree to types (`check`), types to worst-case costs (`estimate`), all of it to Python code that
counts what it costs while it runs (`emit_*`, `program`). `rules` evaluates a CRD's rules on an object, `rule_verdict` judges a rule that
is to be written into one, `expression` runs expressions that stand alone.
Sources: https://github.com/google/cel-spec, cel-go 0.26, k8s.io/apiserver 0.36.
"""
