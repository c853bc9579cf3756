"""Recorded cases of OME's manager, from `ome.jsonl.gz`; the README there describes the form."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from tests.conftest import SHARED
from weighbridge.policies.apiserver.admission import Refusal, decode, validate
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.operator import CONFIG, NAMESPACE, SHIPPED
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS: Final = bundled_definitions()
#: The kinds of which a recorded cluster held only the objects that its case lists.
KINDS: Final = (
    "BaseModel",
    "ClusterBaseModel",
    "ServingRuntime",
    "ClusterServingRuntime",
    "AcceleratorClass",
    "FineTunedWeight",
    "InferenceService",
    "BenchmarkJob",
)


#: The kinds that OME's controller of services doesn't watch, or couldn't watch in the recorded clusters.
_NOT_WATCHED: Final = {
    "update": ("ServingRuntime", "ClusterServingRuntime"),
    "delete": ("ServingRuntime", "ClusterServingRuntime", "BaseModel", "ClusterBaseModel", "InferenceService"),
}


@cache
def records() -> list[dict[str, Any]]:
    """All cases; none if the file doesn't exist."""
    path = SHARED / "conformance" / "operators" / "ome.jsonl.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def definition_of(obj: JSONObject) -> ResourceDefinition | None:
    """The definition of an object's kind, which is one of OME's."""
    gvk = GroupVersionKind.from_object(obj)
    return DEFINITIONS.get(gvk) if gvk is not None and gvk.group == GROUP else None


def answer(obj: JSONObject) -> tuple[JSONObject | None, Refusal | None]:
    """The object as the API server stores it, without webhooks, or the API server's error."""
    definition = definition_of(obj)
    assert definition is not None
    request = Request(
        "1",
        Operation.CREATE,
        definition.gvk,
        copy.deepcopy(obj),
        namespace=namespace_of(obj),
        name=name_of(obj),
        field_validation=FieldValidation.IGNORE,
    )
    decoded = decode(request, definition)
    if decoded.refusal is not None or not isinstance(decoded.object, dict):
        return None, decoded.refusal
    validated = validate(request, decoded.object, definition)
    return (None, validated.refusal) if validated.refusal is not None else (validated.object, None)


def cluster_of(record: dict[str, Any], *, made: bool = False) -> tuple[Facts, list[JSONObject]]:
    """What the cluster of a case held at the end, and the services that were written to it.

    With `made` it is the cluster from which OME created objects: deleted services are kept, since the objects made for them stayed, and
    changes of runtimes and models after the last write of a service are ignored, since they don't make OME reconcile the service.
    """
    admitted = {(entry["ref"], entry["op"]): entry["allowed"] for entry in record["outcome"]["admission"]}
    held: dict[tuple[str, str, str], JSONObject] = {}
    written = list(_written(record))
    last = max((at for at, (operation, obj) in enumerate(written) if _is_write_of_service(operation, obj)), default=0)
    for at, (operation, obj) in enumerate(written):
        key = (str(obj["kind"]), namespace_of(obj), name_of(obj))
        if made and at > last and obj["kind"] in _NOT_WATCHED.get(operation, ()):
            continue
        if operation == "delete":
            held.pop(key, None)
        elif operation in ("create", "update") and definition_of(obj) is not None:
            kept, _ = answer(obj)
            is_refused = admitted.get((f"{obj['kind']}/{name_of(obj)}", operation)) is False
            if kept is not None and not (is_refused and obj["kind"] != "InferenceService"):
                held[key] = kept
    services = [obj for (kind, _, _), obj in held.items() if kind == "InferenceService"]
    others = [obj for (kind, _, _), obj in held.items() if kind != "InferenceService"]
    facts = from_objects([*others, *settings_of(record), *record["nodes"]], DEFINITIONS)
    known = [(GROUP, kind) for kind in KINDS]
    # The other clusters have the CRDs of all software that OME uses.
    known += [CRDS.known_as] if record["family"] == "nocrd" else []
    facts.objects.complete(besides=known)
    return facts, services


def _is_write_of_service(operation: str, obj: JSONObject) -> bool:
    return operation != "delete" and obj["kind"] == "InferenceService"


def settings_of(record: dict[str, Any]) -> list[JSONObject]:
    """The manager's ConfigMap, if a case changes a key of the installed one."""
    if "config" not in record:
        return []
    installed = {key: json.dumps(value) for key, value in SHIPPED.items()}
    data = {key: value for key, value in {**installed, **record["config"]}.items() if value is not None}
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}, "data": data}]


def _written(record: dict[str, Any]) -> Iterator[tuple[str, JSONObject]]:
    for obj in record["objects"]:
        yield "create", obj
    for step in record.get("steps", ()):
        yield step["op"], step["object"]


def request_for(service: JSONObject) -> Request:
    """The request that creates a service."""
    gvk = GroupVersionKind.from_object(service)
    assert gvk is not None
    return Request("1", Operation.CREATE, gvk, service, namespace=namespace_of(service), name=name_of(service))
