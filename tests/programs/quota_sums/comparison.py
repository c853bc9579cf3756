"""Compares the refusals of a real kube-apiserver, on which all objects are created one after the other, as by controllers, with our
predictions.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import permutations

from tests.programs.differential.connection import Connections, Reply
from tests.programs.quota_sums import generated
from tests.programs.quota_sums.generated import JSON
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.placement.placement import place
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.verdict.pods.quota_sums import over_quotas

THREADS = 4
SECONDS_TO_SEE = 2
_PLURALS = {"Job": "jobs", "Deployment": "deployments", "StatefulSet": "statefulsets", "ReplicaSet": "replicasets"}
_ALONE = "no pod is let in of "
_REFUSED = re.compile(r'^\S+ "[^"]*" is forbidden: (.*)$', re.DOTALL)


@dataclass(slots=True)
class Result:
    """The number of compared changes, the number of objects that the server refused in them, and the changes that differ."""

    changes: int = 0
    created: int = 0
    refused: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.changes} changes, {self.created} objects created and {self.refused} refused: {len(self.differences)} differ"


def compare(connections: Connections, seed: int, count: int) -> Result:
    """Generate changes, each in a new namespace, let the server create their objects, and compare."""
    for obj in generated.classes():
        folder = {"PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses", "StorageClass": "/apis/storage.k8s.io/v1/storageclasses"}
        assert connections.send_value("POST", folder[obj["kind"]], obj).code in (201, 409)
    result = Result()
    release = connections.release()

    def drawn(index: int) -> tuple[str, list[JSON], list[JSON]]:
        rng, namespace = random.Random(f"{seed} {index}"), f"sums-{seed}-{index}"
        quotas, made = generated.quotas(rng, namespace), generated.objects(rng, namespace)
        _set_up(connections, namespace, quotas)
        # The objects of a run count by kind.
        return namespace, quotas, sorted(made, key=lambda obj: (obj["apiVersion"].rpartition("/")[0], obj["kind"]))

    def one(change: tuple[str, list[JSON], list[JSON]]) -> tuple[list[str], list[str], int, str]:
        namespace, quotas, made = change
        theirs, created = _theirs(connections, made)
        with judging(release):
            ours = _ours(made, quotas, namespace)
            for order in permutations(quotas):
                # The server asks quotas in any order, and names the first one that is exceeded.
                other = _ours(made, list(order), namespace)
                if other == _as_alone(theirs, other):
                    ours = other
                    break
        return ours, theirs, created, f"{namespace} {quotas} {made}"

    with ThreadPoolExecutor(THREADS) as threads:
        changes = list(threads.map(drawn, range(count)))
        # The server reads quotas from a watch, so they need a moment.
        time.sleep(SECONDS_TO_SEE)
        for ours, theirs, created, what in threads.map(one, changes):
            result.changes += 1
            result.created += created
            result.refused += len(theirs)
            if ours != _as_alone(theirs, ours):
                result.differences.append(f"{what}\n  ours   {ours}\n  theirs {theirs}")
    return result


def _set_up(connections: Connections, namespace: str, quotas: list[JSON]) -> None:
    assert connections.send_value("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}}).code == 201
    for quota in quotas:
        folder = f"/api/v1/namespaces/{namespace}/resourcequotas"
        reply = connections.send_value("POST", folder, quota)
        assert reply.code == 201, reply.body
        stored = connections.send_value("PUT", f"{folder}/{quota['metadata']['name']}/status", {**reply.body, "status": quota["status"]})
        assert stored.code == 200, stored.body


def _ours(made: list[JSON], quotas: list[JSON], namespace: str) -> list[str]:
    facts = from_objects([*quotas, *generated.classes()], Definitions(), beside=made)
    found = []
    for obj in made:
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        request = Request("q", Operation.CREATE, gvk, obj, namespace=namespace, name=obj["metadata"]["name"])
        # All objects are new: none is updated.
        messages = (finding.message for finding in over_quotas(request, [obj], (), facts, DEFAULT))
        said = [message for message in messages if not message.startswith("a rolling update of ")]
        found += said
        if any(re.match(rf"(the ReplicaSet of )?{request.gvk.kind} {request.name}: ", text) for text in said):
            continue
        # A pod that is refused even alone has another finding: it exceeds a quota by itself, or lacks an amount that a quota requires.
        for pod in pods_of(obj).values():
            if "quota: " in place(pod, facts, namespace=namespace).message:
                found.append(f"{_ALONE}{obj['kind']} {obj['metadata']['name']}")
    return found


def _as_alone(theirs: list[str], ours: list[str]) -> list[str]:
    """The server's refusals; pods of which not even one is accepted are named as in our findings."""
    alone = [text.removeprefix(_ALONE) for text in ours if text.startswith(_ALONE)]
    whose = [next((owner for owner in alone if _is_of(owner, text)), None) for text in theirs]
    return [f"{_ALONE}{owner}" if owner is not None else text for text, owner in zip(theirs, whose, strict=True)]


def _is_of(owner: str, refusal: str) -> bool:
    """Whether a refusal is of what is created for an owner: a replica, its ReplicaSet, or a claim in parentheses."""
    return re.match(rf"((the|\w+ \d+ of \d+ of) .*)?{owner}( \([^)]*\))?: ", refusal) is not None


def _theirs(connections: Connections, made: list[JSON]) -> tuple[list[str], int]:
    """Create the objects and those that controllers create for them. Returns the first refusal of each step, and the number of created
    objects.
    """
    refusals: list[str] = []
    created = 0
    for obj in made:
        for is_root, bodies in _steps(obj):
            failed = False
            for label, body in bodies:
                reply = _create(connections, body)
                if reply.code != 201:
                    assert reply.code == 403, (reply.body, body)
                    matched = _REFUSED.match(str(reply.body["message"]))
                    assert matched is not None, reply.body
                    refusals.append(f"{label}: {matched[1]}")
                    failed = True
                    break
                created += 1
            if failed and is_root:
                break
    return refusals, created


def _create(connections: Connections, body: JSON) -> Reply:
    api_version, kind = body["apiVersion"], body["kind"]
    plural = _PLURALS.get(kind, f"{kind.lower()}s")
    folder = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    for _ in range(20):
        reply = connections.send_value("POST", f"{folder}/namespaces/{body['metadata']['namespace']}/{plural}", body)
        if reply.code not in (409, 500):
            break
    return reply


def _steps(obj: JSON) -> Iterator[tuple[bool, list[tuple[str, JSON]]]]:
    """The steps in which objects are created for an object, in order: whether the other steps depend on it, and the objects with their
    titles.
    """
    kind, name, namespace = obj["kind"], obj["metadata"]["name"], obj["metadata"]["namespace"]
    owner = f"{kind} {name}"
    if kind == "Pod":
        yield False, [(f"the pod of {owner}", obj)]
        return
    yield True, [(owner, obj)]
    spec = obj.get("spec", {})
    if "template" not in spec:
        return
    if kind == "Deployment":
        replicated = {**obj, "kind": "ReplicaSet", "metadata": {"name": f"{name}-rs", "namespace": namespace}}
        replicated["spec"] = {"replicas": spec["replicas"], "selector": spec["selector"], "template": spec["template"]}
        yield True, [(f"the ReplicaSet of {owner}", replicated)]
    count = min(spec["parallelism"], spec["completions"]) if kind == "Job" else spec["replicas"]
    word = "pod" if kind == "Job" else "replica"
    bodies: list[tuple[str, JSON]] = []
    for number in range(1, count + 1):
        for claim in spec.get("volumeClaimTemplates", ()):
            template = claim["metadata"]["name"]
            whole = f"{owner} ({template})"
            metadata = {"name": f"{template}-{name}-{number}", "namespace": namespace}
            body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": claim["spec"]}
            bodies.append((whole if count == 1 else f"PersistentVolumeClaim {number} of {count} of {whole}", body))
        pod = _pod(spec["template"], f"{name}-{number}", namespace)
        bodies.append((f"the {word} of {owner}" if count == 1 else f"{word} {number} of {count} of {owner}", pod))
    yield False, bodies


def _pod(template: JSON, name: str, namespace: str) -> JSON:
    metadata = {"name": name, "namespace": namespace, "labels": template["metadata"]["labels"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
