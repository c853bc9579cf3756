"""The good and bad examples of rules, as objects that are judged."""

from __future__ import annotations

from policies.engine import decide
from policies.facts import Facts, from_objects
from policies.families.configuration import parse
from policies.families.family import Family, Rule
from policies.findings import Decision
from policies.objects import GroupVersionKind, JSONObject, Operation
from policies.request import Request
from tests.yaml_documents import read, read_all
from webhook.inputs.facts import bundled_definitions

#: A cluster in which each rule's good example is good and its bad one bad.
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


def decided(family: Family, rule: Rule, spec: str, **settings: str) -> Decision:
    """The verdict on an example, with settings of the configuration besides the example's own."""
    return decide(example_request(family, rule, spec), example_facts(rule), parse({**(read(rule.config) or {}), **settings}))


def example_cluster(rule: Rule) -> list[JSONObject]:
    """The objects of the cluster that a rule's examples are judged on."""
    return [*CLUSTER, *filter(None, read_all(rule.beside))]


def example_facts(rule: Rule) -> Facts:
    """The same as facts."""
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
