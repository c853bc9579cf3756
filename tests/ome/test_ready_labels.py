"""Compares the label of nodes that have a model with the labels that OME v0.1.5 wrote."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.ome.subject.ready_labels import ready_label


@pytest.mark.parametrize(
    ("namespace", "name", "label"),
    [
        ("", "llama-3-1-8b-instruct", "models.ome.io/clusterbasemodel.llama-3-1-8b-instruct"),
        ("", "nvidia-nemotron-3-nano-30b-a3b-base-bf16", "models.ome.io/clusterbasemodel.86486b23--nano-30b-a3b-base-bf16"),
        ("", "llama-4-maverick-17b-128e-instruct-fp8", "models.ome.io/clusterbasemodel.321a5921-k-17b-128e-instruct-fp8"),
        ("", "m" * 33, "models.ome.io/clusterbasemodel.481dab09-" + "m" * 23),
        ("team-a", "llama-3-1-8b-instruct", "models.ome.io/team-a.basemodel.llama-3-1-8b-instruct"),
        ("ns-of-eleven", "k" * 27, "models.ome.io/cd532fea.basemodel." + "k" * 27),
        ("ns-eight", "k" * 35, "models.ome.io/ns-eight.basemodel.6af2bec4-" + "k" * 21),
        ("abc", "k" * 40, "models.ome.io/abc.basemodel.dc4c5d17-" + "k" * 26),
    ],
)
def test_long_names_keep_their_end_behind_a_hash(namespace: str, name: str, label: str) -> None:
    assert ready_label(namespace, name) == label
