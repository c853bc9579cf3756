"""The examples of rules as objects to judge: small ones if `small_examples` has them, else the two cases that the rule names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.doors.cases import ROOT, Case, load
from tests.yaml_documents import read, read_all
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

#: A cluster in which each rule's good example has no finding and its bad one has.
CLUSTER: list[JSONObject] = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "gpus"},
        "status": {"allocatable": dict.fromkeys(("nvidia.com/gpu", "amd.com/gpu", "devic.es/dri-render", "gpu.intel.com/i915"), "8")},
    },
    {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
        "kind": "InferencePool",
        "metadata": {"name": "pool", "namespace": "default"},
    },
    {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
        "kind": "InferenceModel",
        "metadata": {"name": "older", "namespace": "default"},
        "spec": {"modelName": "taken", "poolRef": {"name": "pool"}},
    },
]


@dataclass(frozen=True, slots=True)
class Examples:
    """The good and the bad example of a rule, with their cluster and configuration.

    Each of the two is a spec; or, where more matters, a map of `apiVersion`, `metadata`, `spec`, and the `old` spec.
    """

    good: str
    bad: str
    beside: tuple[JSONObject, ...]
    config: dict[str, Any]


@cache
def examples(rule: Rule) -> Examples:
    """The examples of a rule; tests share them and must not change them."""
    small = _small().get(rule.id)
    if small is None:
        good, bad = good_case(rule), bad_case(rule)
        return Examples(_of_case(good), _of_case(bad), tuple(bad.cluster or ()), bad.config or {})
    return Examples(
        small["good"], small["bad"], tuple(filter(None, read_all(small.get("beside", "")))), read(small.get("config", "")) or {}
    )


def good_case(rule: Rule) -> Case:
    """The case of an object without a finding of the rule."""
    return load(ROOT / _family_of(rule) / rule.good)


def bad_case(rule: Rule) -> Case:
    """The case of an object with a finding of the rule."""
    return load(ROOT / _family_of(rule) / rule.bad)


def _of_case(case: Case) -> str:
    parts = dict(case.object)
    if case.old is not None:
        parts["old"] = case.old["spec"]
    return yaml.safe_dump(parts)


@cache
def _small() -> dict[str, dict[str, str]]:
    found = {}
    for path in sorted(Path(__file__).with_name("small_examples").glob("*.yaml")):
        page = read(path.read_text(encoding="utf-8"))
        for id_, entry in page["rules"].items():
            beside = entry.get("beside", "")
            found[id_] = {**entry, "beside": page["clusters"].get(beside, beside)}
    return found


def _family_of(rule: Rule) -> str:
    return next(family.name for family in families() if rule in family.rules())


def decided(family: Family, rule: Rule, spec: str, **settings: str) -> Decision:
    """The verdict on an example, with settings in addition to the example's configuration."""
    return decide(example_request(family, rule, spec), example_facts(rule), parse({**examples(rule).config, **settings}))


def example_cluster(rule: Rule) -> list[JSONObject]:
    """The objects of the cluster of a rule's examples."""
    return [*CLUSTER, *examples(rule).beside]


def example_facts(rule: Rule) -> Facts:
    """The facts of that cluster."""
    return from_objects(example_cluster(rule), bundled_definitions())


def example_request(family: Family, rule: Rule, text: str) -> Request:
    """An example as a request. It is a spec; or, where more matters, a map of `apiVersion`, `metadata`, `spec`, and the `old` spec."""
    example = read(text)
    parts = example if "spec" in example else {"spec": example}
    kind = next(kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
    metadata = {"name": "example", "namespace": "default", **parts.get("metadata", {})}
    standing = {"apiVersion": kind.gvk.api_version, "kind": kind.gvk.kind, **parts, "metadata": metadata}
    before = standing.pop("old", None)
    gvk = GroupVersionKind.from_object(standing)
    assert gvk is not None
    known = family.kind(gvk)
    if known is not None and not known.namespaced:
        del metadata["namespace"]
    old = {**standing, "spec": before} if before is not None else None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    return Request("example", operation, gvk, standing, old, namespace=metadata.get("namespace", ""), name=metadata["name"])
