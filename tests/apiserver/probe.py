"""Two custom resources made for tests, objects of them, and requests with these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.yaml_documents import read
from weighbridge.policies.apiserver.admission import Decoded, Refusal, Validated, decode, headers, validate
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy, deep_equal

PROBE_CRD: JSONObject = read("""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: probes.weighbridge.test}
spec:
  group: weighbridge.test
  scope: Namespaced
  names: {plural: probes, singular: probe, kind: Probe, listKind: ProbeList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        x-kubernetes-validations:
        - {rule: "size(self.metadata.name) < 20", message: name too long}
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, format: int32, minimum: 0}
              text: {type: string, maxLength: 10}
              ratio: {type: number}
              mode: {type: string, default: auto, enum: [auto, manual]}
              gone: {type: string, x-kubernetes-validations: [{rule: "self != 'bad'", message: bad is bad}]}
              list:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              embedded:
                type: object
                x-kubernetes-embedded-resource: true
                properties: {spec: {type: object, properties: {a: {type: string}}}}
              templates:
                type: object
                additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          status:
            type: object
            properties:
              replicas: {type: integer}
              selector: {type: string}
              phase: {type: string, enum: [Up, Down]}
              lastUsed: {type: string, format: date-time}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
  - name: v1alpha1
    served: true
    storage: false
    deprecated: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {old: {type: string}, text: {type: string}}}
  - name: v0
    served: false
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {ancient: {type: string}}}
""")

PLAIN_CRD: JSONObject = read("""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: plains.weighbridge.test}
spec:
  group: weighbridge.test
  scope: Cluster
  names: {plural: plains, singular: plain, kind: Plain, listKind: PlainList}
  versions:
  - name: v1
    served: true
    storage: true
    deprecated: true
    deprecationWarning: plain is going away
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {a: {type: string}, n: {type: number}}}
          status: {type: object, properties: {a: {type: string}}}
""")


def a_probe(**parts: Any) -> JSONObject:
    """A valid probe, with some of its parts replaced; a part that is `...` is left out."""
    whole = {"apiVersion": "weighbridge.test/v1", "kind": "Probe", "metadata": {"name": "a"}, "spec": {}} | parts
    return {key: value for key, value in whole.items() if value is not ...}


def named(**metadata: Any) -> JSONObject:
    """A probe with this metadata."""
    return a_probe(metadata=metadata)


def a_plain(**parts: Any) -> JSONObject:
    """A valid plain, with some of its parts replaced."""
    return {"apiVersion": "weighbridge.test/v1", "kind": "Plain", "metadata": {"name": "a"}} | parts


def stored_probe(**spec: Any) -> JSONObject:
    """A probe as a server has stored it."""
    return a_probe(
        metadata={
            "name": "a",
            "namespace": "default",
            "uid": "11111111-1111-1111-1111-111111111111",
            "resourceVersion": "42",
            "generation": 3,
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "managedFields": [{"manager": "kubectl", "operation": "Update", "apiVersion": "weighbridge.test/v1"}],
        },
        spec={"mode": "auto"} | spec,
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, as a client of the server would see it."""

    code: int
    message: str
    causes: Sequence[JSONObject]
    warnings: list[str]
    object: JSONValue
    decoded: Decoded
    validated: Validated | None = None


def request(
    definition: ResourceDefinition,
    body: JSONValue,
    old: JSONValue = None,
    *,
    validation: FieldValidation = FieldValidation.STRICT,
    subresource: str = "",
    name: str = "",
    namespace: str = "default",
    dry_run: bool = True,
) -> Request:
    """A creation, or an update if there is an old object."""
    return Request(
        uid="1",
        operation=Operation.CREATE if old is None else Operation.UPDATE,
        gvk=definition.gvk,
        object=body,
        old_object=old,
        resource=GroupVersionResource(definition.gvk.group, definition.gvk.version, definition.plural),
        subresource=subresource,
        namespace=namespace if definition.namespaced else "",
        name=name or ("" if old is None else "a"),
        dry_run=dry_run,
        field_validation=validation,
    )


def send(definition: ResourceDefinition, body: JSONValue, old: JSONValue = None, **options: Any) -> Answer:
    """The server's answer to a creation, or to an update if there is an old object; checks that neither object is changed."""
    duplicates = options.pop("duplicates", ())
    asked = request(definition, body, old, **options)
    before = deep_copy([body, old])
    decoded = decode(asked, definition, duplicates=duplicates)
    answer = _answer(asked, decoded, definition)
    assert deep_equal([body, old], before), "a request's objects stay as they are"
    return answer


def _answer(asked: Request, decoded: Decoded, definition: ResourceDefinition) -> Answer:
    if decoded.refusal is not None:
        return _refused(decoded.refusal, decoded.warnings, decoded, None)
    before = deep_copy(decoded.object)
    validated = validate(asked, decoded.object, definition)
    assert deep_equal(decoded.object, before), "validate works on a copy"
    warnings = decoded.warnings + validated.warnings
    if validated.refusal is not None:
        return _refused(validated.refusal, warnings, decoded, validated)
    code = 201 if asked.operation is Operation.CREATE else 200
    return Answer(code, "", [], headers(warnings), validated.object, decoded, validated)


def _refused(refusal: Refusal, warnings: list[str], decoded: Decoded, validated: Validated | None) -> Answer:
    return Answer(refusal.code, refusal.message, refusal.causes, headers(warnings), None, decoded, validated)
