"""Folders of any size for each command, to see how its run time grows with its input and with the cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.growth import OLD_AIM, PAIRS, aim, llmkube, node, obj, pairs
from weighbridge.policies.facts.document import SnapshotHeader
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.facts.occupancy import Occupancy, RunningPod
from weighbridge.policies.ground.objects import JSONObject

#: Writes a folder of some size, and returns the command that is run in it.
Command = Callable[[Path, int], Sequence[str]]

_GPU: Final = "nvidia.com/gpu"
_ADMISSION: Final = "admissionregistration.k8s.io/v1"
_SERVICES: Final = "InferenceService.inference.llmkube.dev"
_NAMESPACES: Final = 8
_GPUS_OF_A_NODE: Final = 8
#: The objects that LLMKube's pods and claims need in a cluster.
_CLASSES: Final[tuple[JSONObject, ...]] = (
    *(
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"llmkube-{name}"}, "value": value}
        for name, value in (("normal", 10_000), ("high", 100_000))
    ),
    {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "s", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "example.com/s",
        "volumeBindingMode": "WaitForFirstConsumer",
    },
)
_COMPLETE: Final = tuple(kind.known_as for kind in PLACEMENT_KINDS)


def _write(folder: Path, name: str, objects: Iterable[JSONObject]) -> str:
    (folder / name).write_text("\n---\n".join(map(json.dumps, objects)), encoding="utf-8")
    return name


def _configured(folder: Path, **sections: object) -> str:
    return _write(folder, "config.yaml", [{"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", **sections}])


def _snapshot(folder: Path, objects: Iterable[JSONObject], running: Iterable[RunningPod] | None = None) -> str:
    header = SnapshotHeader(complete=_COMPLETE, occupancy=None if running is None else Occupancy.of(running))
    return _write(folder, "cluster.yaml", [header.document([*_CLASSES, *objects])])


def _stored(one: JSONObject) -> JSONObject:
    return {**one, "metadata": {**one["metadata"], "uid": one["kind"] + one["metadata"]["name"], "resourceVersion": "1"}}


def _open(index: int) -> JSONObject:
    """A node without a taint."""
    found = node(index)
    return {**found, "spec": {}}


def deployment(index: int, namespace: str) -> JSONObject:
    """A Deployment of one pod with a device."""
    name = f"d{index}"
    container = {"name": "c", "image": "i", "resources": {"limits": {_GPU: 1}}}
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}
    spec = {"replicas": 1, "strategy": {"type": "Recreate"}, "selector": {"matchLabels": {"app": name}}, "template": template}
    return obj("apps/v1", "Deployment", name, spec, namespace)


def _of_pairs(*before: str, family: str) -> Command:
    def command(folder: Path, count: int) -> Sequence[str]:
        return [*before, _write(folder, "objects.yaml", pairs(family, count, _NAMESPACES))]

    return command


def _change(room: float, *command: str, made: Callable[[int, str], Iterable[JSONObject]]) -> Command:
    """A change whose pods request as many devices as the cluster has, or more."""

    def written(folder: Path, count: int) -> Sequence[str]:
        objects = [one for index in range(count) for one in made(index, f"ns{index % _NAMESPACES}")]
        nodes = [_open(index) for index in range(max(int(count * room) // _GPUS_OF_A_NODE, 1))]
        return [*command, _write(folder, "objects.yaml", objects), "--cluster", _snapshot(folder, nodes)]

    return written


def _deployments(index: int, namespace: str) -> Iterable[JSONObject]:
    yield deployment(index, namespace)


def _admission_policy(index: int) -> Iterable[JSONObject]:
    resources = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
    validation = {"expression": f"object.metadata.name != 'no-{index}'", "message": "no"}
    spec = {"matchConstraints": {"resourceRules": [resources]}, "validations": [validation]}
    yield obj(_ADMISSION, "ValidatingAdmissionPolicy", f"p{index}", spec, "")
    yield obj(_ADMISSION, "ValidatingAdmissionPolicyBinding", f"p{index}", {"policyName": f"p{index}", "validationActions": ["Deny"]}, "")


def _admission_policies(folder: Path, count: int) -> Sequence[str]:
    policies = [one for index in range(count) for one in _admission_policy(index)]
    objects = _write(folder, "objects.yaml", pairs("LLMKube", 4))
    return ["lint", "--jobs", "1", objects, "--policies", _write(folder, "policies.yaml", policies)]


def _under_admission_policies(folder: Path, count: int) -> Sequence[str]:
    policies = [one for index in range(4) for one in _admission_policy(index)]
    objects = _write(folder, "objects.yaml", pairs("LLMKube", count, _NAMESPACES))
    return ["lint", "--jobs", "1", objects, "--policies", _write(folder, "policies.yaml", policies)]


def _policy(index: int, *expressions: str, **more: object) -> JSONObject:
    named = {"id": f"POLICY-{index % 1000:03}", "name": f"policy-{index}", "description": "A service isn't as it should be.\n"}
    validations = [{"expression": expression, "message": "no"} for expression in expressions]
    return named | {"match": {"kinds": [_SERVICES]}} | ({"validations": validations} if validations else {}) | more


_LOOKS: Final = (
    "cluster.get('Namespace', object.metadata.namespace).hasValue() || effective.gpus < 100",
    "cluster.get('Model.inference.llmkube.dev', object.spec.modelRef).hasValue()",
)


def _own_policies(folder: Path, count: int) -> Sequence[str]:
    config = _configured(folder, policies=[_policy(index, f"effective.gpus < 100 + {index}") for index in range(count)])
    return ["lint", "--jobs", "1", _write(folder, "objects.yaml", pairs("LLMKube", 4)), "--config", config]


def _exported(folder: Path, count: int) -> Sequence[str]:
    config = _configured(folder, policies=[_policy(index, f"object.metadata.name != 'no-{index}'") for index in range(count)])
    return ["export", "POLICY-*", "--config", config]


def _under_own_policies(folder: Path, count: int) -> Sequence[str]:
    """Policies that look other objects up, and that fill in."""
    filled = {"fieldPath": ".spec.priority", "expression": "'high'", "reason": "the default"}
    config = _configured(folder, policies=[_policy(0, *_LOOKS), _policy(1, fillIns=[filled])])
    objects = _write(folder, "objects.yaml", pairs("LLMKube", count, _NAMESPACES))
    namespaces = [obj("v1", "Namespace", f"ns{index}", {}, "") for index in range(count)]
    return ["lint", "--jobs", "1", objects, "--config", config, "--cluster", _snapshot(folder, [*namespaces, *map(_open, range(4))])]


def _quotas(folder: Path, count: int) -> Sequence[str]:
    """Services in namespaces with quotas that they are within, and one that they exceed."""
    hard = [{f"requests.{_GPU}": str(10 * count)}, {f"requests.{_GPU}": "1"}]
    quotas = [obj("v1", "ResourceQuota", "q", {"hard": hard[index == 0]}, f"ns{index}") for index in range(_NAMESPACES)]
    objects = _write(folder, "objects.yaml", pairs("LLMKube", count, _NAMESPACES))
    return ["lint", "--jobs", "1", objects, "--cluster", _snapshot(folder, [*quotas, *map(_open, range(4))])]


def _pods(nodes: int) -> Iterator[RunningPod]:
    """Two pods on each node, of which one has devices."""
    for index in range(nodes):
        yield RunningPod(f"ns0/a{index}", f"n{index}", 0, {_GPU: 1 + index % 4, "cpu": 1000 + index})
        yield RunningPod(f"ns0/b{index}", f"n{index}", 100, {"cpu": 500})


def _running(folder: Path, count: int) -> Sequence[str]:
    """A lint with a snapshot of that many nodes that says what pods take of each."""
    objects = _write(folder, "objects.yaml", pairs("LLMKube", 8))
    return ["lint", "--jobs", "1", objects, "--cluster", _snapshot(folder, map(_open, range(count)), _pods(count))]


def _changed_where_pods_run(folder: Path, count: int) -> Sequence[str]:
    """A change of that many Deployments on nodes on which pods run."""
    objects = _write(folder, "objects.yaml", [deployment(index, f"ns{index % _NAMESPACES}") for index in range(count)])
    nodes = max(count // _GPUS_OF_A_NODE * 2, 1)
    return ["fit", objects, "--cluster", _snapshot(folder, map(_open, range(nodes)), _pods(nodes))]


def _audited(family: str) -> Command:
    def command(folder: Path, count: int) -> Sequence[str]:
        objects = [*map(_stored, pairs(family, count, _NAMESPACES)), *map(_open, range(4))]
        return ["audit", "--cluster", _snapshot(folder, objects)]

    return command


def _reported(folder: Path, count: int) -> Sequence[str]:
    """The reports on services whose models don't exist."""
    objects = [_stored(llmkube(index, f"ns{index % _NAMESPACES}")[1]) for index in range(count)]
    return ["audit", "--cluster", _snapshot(folder, objects), "-o", "openreports"]


def _migrated(folder: Path, count: int) -> Sequence[str]:
    """Services of AIM's old group, which has a successor."""
    objects = [one for index in range(count) for one in aim(index, "ns0", OLD_AIM)]
    return ["migrate", _write(folder, "objects.yaml", objects)]


def _impact(family: str) -> Command:
    """Every used object changes."""

    def command(folder: Path, count: int) -> Sequence[str]:
        objects = pairs(family, count, _NAMESPACES)
        changes = [{**one, "metadata": {**one["metadata"], "labels": {"a": "b"}}} for one in objects[::2]]
        return ["impact", "-f", _write(folder, "objects.yaml", changes), "--cluster", _snapshot(folder, map(_stored, objects))]

    return command


def _impact_of_one(folder: Path, count: int) -> Sequence[str]:
    """A model that many services use is removed."""
    model, _ = llmkube(0, "ns0")
    services = [llmkube(index, "ns0")[1] for index in range(count)]
    for service in services:
        service["spec"]["modelRef"] = "m0"
    return ["impact", "--delete", "Model/ns0/m0", "--cluster", _snapshot(folder, map(_stored, [model, *services]))]


def _tested(folder: Path, count: int) -> Sequence[str]:
    for index in range(count):
        case = folder / "cases" / f"accepts-{index}"
        case.mkdir(parents=True, exist_ok=True)
        model, service = llmkube(index, "ns0")
        _write(case, "object.yaml", [service])
        _write(case, "cluster.yaml", [model])
        (case / "expect.yaml").write_text("# It is accepted.\nallowed: true\nunchecked: [LLMKUBE-082]\n", encoding="utf-8")
    config = _configured(folder, policies=[_policy(0, *_LOOKS)])
    return ["test", "cases", "--config", config, "--coverage"]


#: What is doubled, the first number, and the command.
COMMANDS: Final[Mapping[str, tuple[int, Command]]] = {
    **{f"dry-run, {name}: pairs": (15, _of_pairs("dry-run", family=name)) for name in PAIRS},
    "migrate: pairs": (15, _migrated),
    "lint: a change that fits together": (30, _change(1.0, "lint", "--jobs", "1", made=llmkube)),
    "lint: a change of which half fits": (30, _change(0.5, "lint", "--jobs", "1", made=llmkube)),
    "fit: a change that fits together": (30, _change(1.0, "fit", made=_deployments)),
    "fit: a change of which half fits": (30, _change(0.5, "fit", made=_deployments)),
    "lint: admission policies": (15, _admission_policies),
    "lint: pairs under admission policies": (15, _under_admission_policies),
    "lint: policies of one's own": (15, _own_policies),
    "lint: pairs under policies of one's own": (15, _under_own_policies),
    "lint: pairs under quotas": (15, _quotas),
    "lint: nodes on which pods run": (60, _running),
    "fit: a change on nodes on which pods run": (30, _changed_where_pods_run),
    "export: policies": (15, _exported),
    "test: cases": (15, _tested),
    **{f"audit, {name}: pairs": (15, _audited(family=name)) for name in PAIRS},
    "audit: reports": (15, _reported),
    **{f"impact, {name}: changed objects": (15, _impact(name)) for name in PAIRS},
    "impact: services of a deleted Model": (30, _impact_of_one),
}
#: Commands whose work grows with pairs: each object that has no room is named along with all that take its room.
MATCHING: Final = frozenset({"fit: a change of which half fits"})
