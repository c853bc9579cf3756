"""The CRDs of the corpus: every version of every CRD, and the rules below a node."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.rule_nodes import RuleNode
from weighbridge.policies.schema.node import Schema


@cache
def crd_versions(corpus: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The schema of each CRD version, by file and version."""
    found = {}
    for path in sorted(corpus.rglob("*.yaml")):
        text = path.read_text("utf-8")
        if "kind: CustomResourceDefinition" not in text:
            continue
        for crd in yaml.load_all(text, yaml.CSafeLoader):
            if crd and crd.get("kind") == "CustomResourceDefinition":
                for version in crd["spec"]["versions"]:
                    found[str(path.relative_to(corpus)), version["name"]] = version["schema"]["openAPIV3Schema"]
    return found


@cache
def rules_of(shared: Path, file: str) -> CompiledRules:
    """The rules of a CRD that has one version, by its file in the corpus."""
    ((_, schema),) = ((key, schema) for key, schema in crd_versions(shared / "corpus").items() if key[0] == file)
    return CompiledRules(Schema(schema), file)


def nodes_with_rules(node: RuleNode) -> Iterator[RuleNode]:
    """The nodes with rules, among the node and all below it."""
    if node.has_rules:
        yield node
    for child in (*node.branches, *node.properties.values(), node.values, node.items):
        if child is not None:
            yield from nodes_with_rules(child)
