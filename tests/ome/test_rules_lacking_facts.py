"""What a rule says if the objects of a kind that it looks up aren't known: why it can't judge, or nothing at all."""

from __future__ import annotations

from tests.families.lacking import all_unchecked

#: By rule and kind: what it says about its good example and about its bad one.
SAID: dict[tuple[str, str], tuple[list[str], list[str]]] = {
    ("OME-001", "BaseModel"): ([], ["not all BaseModels of the cluster are known"]),
    ("OME-001", "ClusterBaseModel"): (
        ["not all ClusterBaseModels of the cluster are known"],
        ["not all ClusterBaseModels of the cluster are known"],
    ),
    ("OME-002", "ClusterServingRuntime"): (
        ["not all ClusterServingRuntimes of the cluster are known"],
        ["not all ClusterServingRuntimes of the cluster are known"],
    ),
    ("OME-002", "ServingRuntime"): ([], ["not all ServingRuntimes of the cluster are known"]),
    ("OME-004", "ClusterServingRuntime"): (
        ["not all ClusterServingRuntimes of the cluster are known"],
        ["not all ClusterServingRuntimes of the cluster are known"],
    ),
    ("OME-004", "ServingRuntime"): ([], ["not all ServingRuntimes of the cluster are known"]),
    ("OME-009", "BaseModel"): ([], ["whether there is a BaseModel llama isn't known"]),
    ("OME-012", "AcceleratorClass"): (
        ["not all AcceleratorClasses of the cluster are known"],
        ["not all AcceleratorClasses of the cluster are known"],
    ),
    ("OME-013", "AcceleratorClass"): (
        ["not all AcceleratorClasses of the cluster are known"],
        ["not all AcceleratorClasses of the cluster are known"],
    ),
    ("OME-014", "AcceleratorClass"): (
        ["not all AcceleratorClasses of the cluster are known"],
        ["not all AcceleratorClasses of the cluster are known"],
    ),
    ("OME-017", "ClusterServingRuntime"): (
        ["not all ClusterServingRuntimes of the cluster are known"],
        ["not all ClusterServingRuntimes of the cluster are known"],
    ),
    ("OME-019", "ServingRuntime"): ([], ["not all ServingRuntimes of the cluster are known"]),
    ("OME-028", "Node"): (["no nodes of the cluster are known"], ["no nodes of the cluster are known"]),
    ("OME-029", "Node"): (["no nodes of the cluster are known"], ["no nodes of the cluster are known"]),
    ("OME-041", "BaseModel"): ([], ["not all BaseModels of the cluster are known"]),
    ("OME-041", "ClusterBaseModel"): (
        ["not all ClusterBaseModels of the cluster are known"],
        ["not all ClusterBaseModels of the cluster are known"],
    ),
    ("OME-043", "InferenceService"): ([], ["not all InferenceServices of the cluster are known"]),
    ("OME-044", "ClusterServingRuntime"): ([], ["not all ClusterServingRuntimes of the cluster are known"]),
    ("OME-044", "ServingRuntime"): ([], ["not all ServingRuntimes of the cluster are known"]),
    ("OME-044", "InferenceService"): (
        ["not all InferenceServices of the cluster are known"],
        ["not all InferenceServices of the cluster are known"],
    ),
    ("OME-045", "InferenceService"): (
        ["not all InferenceServices of the cluster are known"],
        ["not all InferenceServices of the cluster are known"],
    ),
    ("OME-106", "PersistentVolumeClaim"): (
        ["not all PersistentVolumeClaims of the cluster are known"],
        ["not all PersistentVolumeClaims of the cluster are known"],
    ),
    ("OME-108", "InferenceService"): (
        ["not all InferenceServices of the cluster are known"],
        ["not all InferenceServices of the cluster are known"],
    ),
    ("OME-155", "FineTunedWeight"): (
        ["not all FineTunedWeights of the cluster are known"],
        ["not all FineTunedWeights of the cluster are known"],
    ),
    ("OME-161", "Node"): (["nothing is known of the cluster's nodes"], ["nothing is known of the cluster's nodes"]),
}


def test_a_rule_that_lacks_a_fact_says_which() -> None:
    assert all_unchecked("ome") == SAID
