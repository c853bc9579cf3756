"""If the objects of a kind that a rule looks up aren't known, the rule says why it can't judge, or nothing."""

from __future__ import annotations

from tests.families.lacking import all_unchecked

#: By rule and kind: the result for its good example, and for its bad one.
SAID: dict[tuple[str, str], tuple[list[str], list[str]]] = {
    ("AIM-001", "AIMClusterRuntimeConfig"): ([], ["AIMClusterRuntimeConfig team isn't known"]),
    ("AIM-001", "AIMRuntimeConfig"): ([], ["AIMRuntimeConfig default/team isn't known"]),
    ("AIM-002", "AIMClusterModel"): ([], ["not all AIMClusterModels of the cluster are known"]),
    ("AIM-002", "AIMModel"): (["not all AIMModels of the cluster are known"], ["not all AIMModels of the cluster are known"]),
    ("AIM-003", "AIMClusterServiceTemplate"): ([], ["not all AIMClusterServiceTemplates of the cluster are known"]),
    ("AIM-003", "AIMServiceTemplate"): (
        ["not all AIMServiceTemplates of the cluster are known"],
        ["not all AIMServiceTemplates of the cluster are known"],
    ),
    ("AIM-005", "AIMClusterRuntimeConfig"): ([], ["AIMClusterRuntimeConfig default isn't known, and may name a gateway"]),
    ("AIM-005", "AIMRuntimeConfig"): ([], ["AIMRuntimeConfig default/default isn't known, and may name a gateway"]),
    ("AIM-030", "AIMClusterRuntimeConfig"): (
        ["not all AIMClusterRuntimeConfigs of the cluster are known"],
        ["not all AIMClusterRuntimeConfigs of the cluster are known"],
    ),
    ("AIM-034", "AIMClusterRuntimeConfig"): ([], ["AIMClusterRuntimeConfig team isn't known"]),
    ("AIM-034", "AIMRuntimeConfig"): ([], ["AIMRuntimeConfig default/team isn't known"]),
    ("AIM-037", "StorageClass"): (["not all StorageClasses of the cluster are known"], ["not all StorageClasses of the cluster are known"]),
    ("AIM-038", "Gateway"): (["not all Gateways of the cluster are known"], ["not all Gateways of the cluster are known"]),
    ("AIM-043", "AIMModel"): (["not all AIMModels of the cluster are known"], ["not all AIMModels of the cluster are known"]),
    ("AIM-057", "AIMClusterServiceTemplate"): ([], ["not all AIMClusterServiceTemplates of the cluster are known"]),
    ("AIM-057", "AIMServiceTemplate"): (["not all AIMServiceTemplates of the cluster are known"], []),
    ("AIM-072", "CustomResourceDefinition"): ([], ["not all CustomResourceDefinitions of the cluster are known"]),
}


def test_a_rule_that_lacks_a_fact_says_which() -> None:
    assert all_unchecked("aim") == SAID
