"""The LLMKube cases as clusters in which the predicted objects can be created, and the work of the controllers that a real cluster has.

A case without nodes gets those of a default cluster, and a case without storage its default class. Many cases share one cluster: each has
its own namespace, and the names of its nodes and volumes have its number.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.doors.cases import CASES, Case
from tests.programs.scheduler.api import MERGE_PATCH, Api
from tests.programs.scheduler.resources import create, namespace_of, path_of
from tests.programs.scheduler.variants import only_on
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent, GroupKind, is_snapshot, read_header
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

#: All kinds that a placement reads are known; a kind without objects has none.
_KNOWN: frozenset[GroupKind] = frozenset(kind.known_as for kind in PLACEMENT_KINDS)
_STORAGE = frozenset({"StorageClass", "PersistentVolume"})
_SCHEDULED = frozenset({"Node", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "RuntimeClass", "LimitRange"})
#: Keeps a claim that is being deleted.
_HELD = "weighbridge.dev/held"
_PLURALS = {"Deployment": "/apis/apps/v1/namespaces/{}/deployments", "Job": "/apis/batch/v1/namespaces/{}/jobs"}


def _node(name: str, **allocatable: str) -> JSONObject:
    amounts = {"cpu": "32", "memory": "256Gi", "ephemeral-storage": "400Gi", "pods": "110", **allocatable}
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": {"allocatable": amounts}}


STANDING_NODES = [
    _node("cpu"),
    _node("nvidia", **{"nvidia.com/gpu": "8"}),
    _node("amd", **{"amd.com/gpu": "4", "devic.es/dri-render": "4"}),
]
STANDING_NODES[1]["spec"] = {"taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]}
STANDING_CLASS: JSONObject = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "standing", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
    "provisioner": "csi.example.com",
    "volumeBindingMode": "WaitForFirstConsumer",
}


@dataclass
class Predicted:
    """A case with its cluster, its prediction, and the predicted objects that are created; names are those of the shared cluster."""

    case: Case
    number: int
    decision: Decision
    cluster: list[JSONObject]
    workloads: list[JSONObject]
    claims: list[JSONObject] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """The case's own namespace."""
        return f"predicted-{self.number}"

    @property
    def own_namespace(self) -> JSONObject:
        """Its namespace as an object, with the labels from the case."""
        written = {obj["metadata"]["name"]: obj for obj in self.cluster if obj["kind"] == "Namespace"}
        labels = written.get(self.case.object["metadata"].get("namespace", ""), {}).get("metadata", {}).get("labels", {})
        return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace, "labels": labels}}

    @property
    def node_names(self) -> dict[str, str]:
        """The nodes in the shared cluster, by their names in the case."""
        return {name: f"{name}.{self.number}" for name in (obj["metadata"]["name"] for obj in self.cluster if obj["kind"] == "Node")}

    @property
    def storage_classes(self) -> str:
        """The storage classes, which must be the same for all cases of one cluster."""
        return repr([obj for obj in self.cluster if obj["kind"] == "StorageClass"])

    def objects(self) -> Iterator[JSONObject]:
        """The objects of its cluster that the scheduler reads, with the names of the shared one."""
        for obj in self.cluster:
            if obj["kind"] in _SCHEDULED and obj["kind"] not in {"StorageClass", "RuntimeClass"}:
                yield self._renamed(obj)

    def _renamed(self, obj: JSONObject) -> JSONObject:
        made = copy.deepcopy(obj)
        metadata, spec = made["metadata"], made.get("spec", {})
        if "deletionTimestamp" in metadata:
            metadata["finalizers"] = [_HELD]
        for key in ("uid", "creationTimestamp", "resourceVersion", "deletionTimestamp"):
            metadata.pop(key, None)
        if made["kind"] in {"Node", "PersistentVolume"}:
            metadata["name"] = f"{metadata['name']}.{self.number}"
        else:
            metadata["namespace"] = self.namespace
        if spec.get("claimRef"):
            spec["claimRef"] = {**spec["claimRef"], "namespace": self.namespace}
        if spec.get("volumeName"):
            spec["volumeName"] = f"{spec['volumeName']}.{self.number}"
        return _completed(made)


def _completed(obj: JSONObject) -> JSONObject:
    """The object with the fields that the API server requires and that cases leave out."""
    spec = obj.setdefault("spec", {})
    if obj["kind"] == "PersistentVolumeClaim":
        spec.setdefault("resources", {"requests": {"storage": "1Gi"}})
        spec.setdefault("accessModes", ["ReadWriteOnce"])
        # The claim exists already, and the API server gives the default class only to new ones.
        spec.setdefault("storageClassName", "")
    if obj["kind"] == "PersistentVolume" and not {"csi", "local", "hostPath"} & spec.keys():
        spec["csi"] = {"driver": "csi.example.com", "volumeHandle": obj["metadata"]["name"]}
    return obj


def predictions() -> list[Predicted]:
    """Every case for which pods are predicted."""
    found = []
    for number, case in enumerate(CASES):
        # The API server of the comparison has no exemptions from Pod Security.
        if case.folder.parent.name != "llmkube" or case.configuration().pod_security != DEFAULT.pod_security:
            continue
        cluster = _cluster(case)
        decision = decide(case.request(), _facts(case, cluster), case.configuration())
        made = list((decision.effective or {}).get("objects", ()))
        workloads = [obj for obj in made if obj["kind"] in _PLURALS]
        if workloads and decision.placement is not None:
            claims = [obj for obj in made if obj["kind"] == "PersistentVolumeClaim"]
            found.append(Predicted(case, number, decision, cluster, workloads, claims))
    return found


def _cluster(case: Case) -> list[JSONObject]:
    documents = case.cluster or []
    snapshot = next((document for document in documents if is_snapshot(document)), None)
    known = read_header(snapshot).complete if snapshot is not None else ()
    objects: list[JSONObject] = copy.deepcopy(list(snapshot["items"] if snapshot is not None else documents))
    kinds = {obj["kind"] for obj in objects} | {kind for _, kind in known}
    objects += STANDING_NODES if "Node" not in kinds else []
    objects += [STANDING_CLASS] if not kinds & _STORAGE else []
    objects += [priority_class(name) for name in ("critical", "high", "normal", "low", "batch")]
    return objects


def priority_class(name: str) -> JSONObject:
    """A priority class of the operator's chart."""
    metadata = {"name": f"llmkube-{name}"}
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": metadata, "value": 1000}


def _facts(case: Case, cluster: Sequence[JSONObject]) -> Facts:
    return from_objects(cluster, bundled_definitions(case.configuration()), extent=Extent(_KNOWN))


def pods(api: Api, predicted: Predicted) -> list[JSONObject]:
    """The pods that controllers would create for the workloads, as the API server stores these; bound to the case's own nodes."""
    found: list[JSONObject] = []
    for workload in predicted.workloads:
        body = {**workload, "metadata": {**workload["metadata"], "namespace": predicted.namespace}}
        stored = api.must("POST", f"{_PLURALS[workload['kind']].format(predicted.namespace)}?dryRun=All", body)
        for pod in pods_of(stored).values():
            metadata = {
                "name": f"{predicted.namespace}-{len(found)}",
                "namespace": predicted.namespace,
                "labels": pod["metadata"]["labels"],
            }
            asked = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": _of_no_account(pod["spec"])}
            found.append(only_on(asked, list(predicted.node_names.values())))
    return found


def _of_no_account(spec: JSONObject) -> JSONObject:
    return {key: value for key, value in spec.items() if key not in {"serviceAccount", "serviceAccountName"}}


def being_deleted(predicted: Predicted) -> list[JSONObject]:
    """The objects of the case's cluster that are being deleted."""
    return [obj for obj in predicted.objects() if _HELD in obj["metadata"].get("finalizers", ())]


def let_go(api: Api, obj: JSONObject) -> None:
    """Let an object that is being deleted go."""
    api.must("PATCH", path_of(obj), {"metadata": {"finalizers": None}}, content_type=MERGE_PATCH)


def create_claims(api: Api, predicted: Predicted) -> list[JSONObject]:
    """Create the predicted claims; bind these and the case's own claims as controllers and provisioners do. Returns the created objects."""
    made = []
    for claim in predicted.claims:
        body = {**claim, "metadata": {**claim["metadata"], "namespace": predicted.namespace}}
        create(api, body)
        made.append(body)
    waiting = [obj for obj in predicted.objects() if obj["kind"] == "PersistentVolumeClaim" and not obj["spec"].get("volumeName")]
    # A claim that is being deleted gets no volume.
    waiting = [obj for obj in waiting if _HELD not in obj["metadata"].get("finalizers", ())]
    for claim in [*made, *waiting]:
        stored = api.must("GET", path_of(claim))
        name = stored["spec"].get("storageClassName", "")
        storage_class = api.call("GET", f"/apis/storage.k8s.io/v1/storageclasses/{name}").object if name else {}
        if storage_class.get("volumeBindingMode") == "WaitForFirstConsumer":
            continue
        volume = _free_volume(api, stored, name, predicted.number)
        if volume is None and storage_class.get("provisioner", "kubernetes.io/no-provisioner") != "kubernetes.io/no-provisioner":
            volume = _provisioned(stored, name, f"{predicted.number}-{len(made)}")
            create(api, volume)
            made.append(volume)
        if volume is not None:
            _bind(api, stored, volume)
    return made


def _free_volume(api: Api, claim: dict[str, Any], name: str, number: int) -> JSONObject | None:
    wanted = Quantity.parse(claim["spec"]["resources"]["requests"]["storage"]).value()
    for volume in api.must("GET", "/api/v1/persistentvolumes")["items"]:
        spec = volume["spec"]
        is_own = volume["metadata"]["name"].endswith(f".{number}") and "claimRef" not in spec
        if is_own and spec.get("storageClassName", "") == name and Quantity.parse(spec["capacity"]["storage"]).value() >= wanted:
            return {"apiVersion": "v1", "kind": "PersistentVolume", **volume}
    return None


def _provisioned(claim: dict[str, Any], name: str, number: str) -> JSONObject:
    spec = {
        "accessModes": claim["spec"]["accessModes"],
        "capacity": claim["spec"]["resources"]["requests"],
        "storageClassName": name,
        "csi": {"driver": "csi.example.com", "volumeHandle": f"made-{number}"},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"made.{number}"}, "spec": spec}


def _bind(api: Api, claim: dict[str, Any], volume: JSONObject) -> None:
    holder = {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "name": claim["metadata"]["name"], "namespace": namespace_of(claim)}
    api.must("PATCH", path_of(volume), {"spec": {"claimRef": {**holder, "uid": claim["metadata"]["uid"]}}}, content_type=MERGE_PATCH)
    annotations = {"pv.kubernetes.io/bind-completed": "yes"}
    bound = {"metadata": {"annotations": annotations}, "spec": {"volumeName": volume["metadata"]["name"]}}
    api.must("PATCH", path_of({**claim, "kind": "PersistentVolumeClaim"}), bound, content_type=MERGE_PATCH)
