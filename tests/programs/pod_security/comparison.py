"""Compares the answers to pods and workloads of a real kube-apiserver and here: refusals, word for word, and warnings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.programs.differential.connection import Connections, Reply
from tests.programs.pod_security import generated
from tests.programs.pod_security.generated import JSON
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import ObjectStore, from_objects
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.pods.admission import admit
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.security.standard import USUAL, PluginSettings, Standard, Standards, standards_for
from weighbridge.policies.pods.security.workloads import violation
from weighbridge.policies.pods.workloads import pods_of

THREADS = 6
_VIOLATES = "would violate PodSecurity"
_INVALID = 422
#: The refusal of a pod, and the warnings of PodSecurity.
Said: TypeAlias = tuple[str, list[str]]

#: The settings of the server with a configuration.
SETTINGS = PluginSettings(
    Standards(Standard("baseline", "v1.30"), Standard("restricted", "v1.24"), Standard("baseline", "latest")),
    frozenset({generated.EXEMPT_NAMESPACE}),
    frozenset({generated.EXEMPT_CLASS}),
)


def admission_configuration() -> JSON:
    """These settings as an AdmissionConfiguration of kube-apiserver."""
    given = SETTINGS.defaults
    defaults = {mode: part for mode in ("enforce", "warn", "audit") for part in [getattr(given, mode).level]}
    versions = {f"{mode}-version": getattr(given, mode).version for mode in ("enforce", "warn", "audit")}
    exemptions = {"namespaces": sorted(SETTINGS.namespaces), "runtimeClasses": sorted(SETTINGS.runtime_classes), "usernames": []}
    plugin = {
        "apiVersion": "pod-security.admission.config.k8s.io/v1",
        "kind": "PodSecurityConfiguration",
        "defaults": {**defaults, **versions},
        "exemptions": exemptions,
    }
    return {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "AdmissionConfiguration",
        "plugins": [{"name": "PodSecurity", "configuration": plugin}],
    }


@dataclass(slots=True)
class Result:
    """How many answers were compared, how many of them were refusals or warnings, and those that differ."""

    pods: int = 0
    workloads: int = 0
    refused: int = 0
    warned: int = 0
    invalid: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        compared = f"{self.pods} pods and {self.workloads} workloads, {self.refused} refused and {self.warned} warned of"
        return f"{compared}; {self.invalid} more were invalid: {len(self.differences)} differ"


def compare(connections: Connections, seed: int, *, spaces: int, pods: int, workloads: int, settings: PluginSettings = USUAL) -> Result:
    """Ask the server about generated pods and workloads, and compare. The namespaces stay on the server, and nothing else."""
    rng = random.Random(seed)
    made = generated.namespaces(rng, spaces)
    names = [space["metadata"]["name"] for space in made]
    kept = [*made, *generated.runtime_classes(), *(obj for name in names[: generated.LIMITED] for obj in generated.limits(name))]
    store = from_objects([_put(connections, obj) for obj in kept], Definitions()).objects
    asked = [(rng.choice(names), "pods", generated.pod(rng, f"pod-{index}")) for index in range(pods)]
    asked += [(rng.choice(names), *generated.workload(rng, f"workload-{index}")) for index in range(workloads)]
    result = Result()
    with ThreadPoolExecutor(THREADS) as threads, judging(connections.release()):
        replies = threads.map(lambda case: _ask(connections, *case), asked)
        for (namespace, plural, obj), reply in zip(asked, replies, strict=True):
            _judge(result, obj, reply, _ours(obj, namespace, store, settings), f"{namespace} {plural}", store)
    return result


def _put(connections: Connections, obj: JSON) -> JSON:
    """Store an object, and return it as it was stored. The controller that keeps a quota's status doesn't run, so this writes the
    status.
    """
    kind, namespace = obj["kind"], obj["metadata"].get("namespace", "")
    folders = {"Namespace": "/api/v1/namespaces", "RuntimeClass": "/apis/node.k8s.io/v1/runtimeclasses"}
    folder = folders.get(kind, f"/api/v1/namespaces/{namespace}/{kind.lower()}s")
    reply = connections.send_value("POST", folder, obj)
    assert reply.code in (201, 409), reply.body
    if kind == "ResourceQuota":
        hard = obj["spec"]["hard"]
        status = {"status": {"hard": hard, "used": dict.fromkeys(hard, "0")}}
        stored = connections.send_value("PUT", f"{folder}/{obj['metadata']['name']}/status", {**reply.body, **status})
        assert stored.code == 200, stored.body
        return {**obj, **status}
    return obj


def _ask(connections: Connections, namespace: str, plural: str, obj: JSON) -> Reply:
    api_version = obj["apiVersion"]
    folder = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    return connections.send_value("POST", f"{folder}/namespaces/{namespace}/{plural}?dryRun=All", obj)


def _ours(obj: JSON, namespace: str, store: ObjectStore, settings: PluginSettings) -> Said:
    """Our answer to an object that is valid for the server."""
    placed = {**obj, "metadata": {**obj["metadata"], "namespace": namespace}}
    is_pod = obj["kind"] == "Pod"
    of_pods = placed if is_pod else next(iter(pods_of(placed).values()))
    standards, refusal = standards_for(of_pods, namespace, store, settings), ""
    if is_pod:
        try:
            admit(placed, store, namespace, enforced=standards.enforce)
        except Refused as refused:
            refusal = str(refused)
    # ResourceQuota comes after PodSecurity, which has written its warning by then.
    is_warned = not refusal or "exceeded quota" in refusal
    found = violation(placed, pods_of(placed), standards.warn) if is_warned else ""
    return refusal, [found] if found else []


def _judge(result: Result, obj: JSON, reply: Reply, ours: Said, where: str, store: ObjectStore) -> None:
    theirs: Said = "" if reply.code == 201 else str(reply.body["message"]), [text for text in reply.warnings if text.startswith(_VIOLATES)]
    if reply.code == _INVALID:
        result.invalid += 1
        return
    result.refused += bool(theirs[0])
    result.warned += bool(theirs[1])
    if obj["kind"] == "Pod":
        result.pods += 1
    else:
        result.workloads += 1
    if theirs != ours:
        result.differences.append(f"{where} {obj}\n  ours   {ours}\n  theirs {theirs}")


def lines(result: Result, most: int = 10) -> Iterator[str]:
    """The first differences, then the summary."""
    yield from result.differences[:most]
    yield str(result)


def labels_of(store: ObjectStore) -> Mapping[str, dict[str, str]]:
    """The labels of the namespaces, for the analysis of a difference."""
    return {space["metadata"]["name"]: space["metadata"]["labels"] for space in store.list("", "Namespace")}
