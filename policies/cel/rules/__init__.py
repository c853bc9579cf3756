"""How kube-apiserver compiles and runs the rules of a CRD.

`rule_nodes` has the nodes of a schema that lead to rules, `compiled_rule` compiles a rule against its node, and `evaluation` runs all of
them on an object, within the budget and with ratcheting. `rule_verdict` judges a rule that is written into a CRD: errors and worst-case
costs. `explanation` shows all of that to people.
"""
