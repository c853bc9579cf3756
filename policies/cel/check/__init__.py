"""From the tree to a typed tree, in an environment of names that an expression may use.

`environment` holds the functions, variables and types of one version of Kubernetes. `checker` finds the type of every node and the
overloads of every call, with `unify` deciding which types fit; `validators` check constants afterwards. `checked.compile_text` does all of
it, from the text on. `errors` has the texts of errors.
"""
