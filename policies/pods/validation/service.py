"""Checks whether the API server accepts a Service or a PersistentVolumeClaim that an operator creates from its users' values.

It checks the fields that users can set through such objects: name, labels, annotations, type, ports and selector of a Service, and name,
labels, access modes, size and class of a claim. Addresses aren't checked, since the server assigns them.

Source: Kubernetes v1.36, pkg/apis/core/validation (ValidateServiceCreate, ValidatePersistentVolumeClaim).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.content import once_sound
from weighbridge.policies.ground.field_errors import NOT_POSITIVE, OMITTED, ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import amount, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.ports import PROTOCOLS, name_errors, number_errors
from weighbridge.policies.pods.validation.template import annotation_errors, label_errors
from weighbridge.policies.pods.validation.wordings import NO_ACCESS_MODE, ONE_POD_AND_MORE
from weighbridge.policies.schema.names import dns1035_label, dns1123_label, dns1123_subdomain, qualified_name

_TCP: Final = "TCP"
_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")


def service_errors(service: JSONObject) -> Iterator[FieldError]:
    """The API server's errors of the Service, field by field."""
    spec = part(service, "spec")
    yield from _metadata_errors(service, dns1123_label if release().relaxes_service_names else dns1035_label)
    ports, kind = items(spec, "ports"), text(spec, "type") or _TYPES[0]
    if not ports and text(spec, "clusterIP") != "None":
        yield FieldError(ErrorType.REQUIRED, "spec.ports")
    yield from _ports_errors(ports)
    yield from label_errors(text_map(spec, "selector"), "spec.selector")
    if kind not in _TYPES:
        yield unsupported("spec.type", kind, _TYPES)
    yield from _repeated_ports(ports)


@once_sound(256)
def _ports_errors(ports: Sequence[JSONObject]) -> Iterator[FieldError]:
    names = set[str]()
    for index, port in enumerate(ports):
        yield from _port_errors(port, f"spec.ports[{index}]", names, needs_name=len(ports) > 1)


def _repeated_ports(ports: Sequence[JSONObject]) -> Iterator[FieldError]:
    seen = set[tuple[str, int]]()
    for index, port in enumerate(ports) if len(ports) > 1 else ():
        key = text(port, "protocol") or _TCP, whole(port, "port")
        if key in seen:
            # The server prints the Go struct, in the order of its fields.
            shown = f'{{"Name":"","Protocol":"{key[0]}","AppProtocol":null,"Port":{key[1]},"TargetPort":0,"NodePort":0}}'
            yield FieldError(ErrorType.DUPLICATE, f"spec.ports[{index}]", OMITTED, shown)
        seen.add(key)


@once_sound(256)
def claim_errors(claim: JSONObject) -> Iterator[FieldError]:
    """The API server's errors of the claim, field by field."""
    yield from _metadata_errors(claim, dns1123_subdomain)
    yield from claim_spec_errors(part(claim, "spec"), "spec")


def claim_spec_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the spec of a claim."""
    modes = texts(spec, "accessModes")
    if not modes:
        yield FieldError(ErrorType.REQUIRED, f"{path}.accessModes", detail=NO_ACCESS_MODE)
    for mode in modes:
        if mode not in _ACCESS_MODES:
            yield unsupported(f"{path}.accessModes", mode, _ACCESS_MODES)
    if _ACCESS_MODES[-1] in modes and set(modes) & {*_ACCESS_MODES[:-1]}:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.accessModes", detail=ONE_POD_AND_MORE)
    size = amount(part(spec, "resources", "requests").get("storage"))
    if size is None:
        yield FieldError(ErrorType.REQUIRED, f"{path}.resources[storage]")
    elif size.sign() <= 0:
        yield FieldError(ErrorType.INVALID, f"{path}.resources[storage]", str(size), NOT_POSITIVE)
    if called := text(spec, "storageClassName"):
        yield from value_errors(f"{path}.storageClassName", called, dns1123_subdomain(called))


def _metadata_errors(obj: JSONObject, name_messages: Callable[[str], list[str]]) -> Iterator[FieldError]:
    name = name_of(obj)
    yield from value_errors("metadata.name", name, name_messages(name))
    yield from label_errors(text_map(obj, "metadata", "labels"), "metadata.labels")
    yield from annotation_errors(text_map(obj, "metadata", "annotations"), "metadata.annotations")


def _port_errors(port: JSONObject, path: str, names: set[str], *, needs_name: bool) -> Iterator[FieldError]:
    name, number = text(port, "name"), whole(port, "port")
    if name:
        yield from value_errors(f"{path}.name", name, dns1123_label(name))
        if name in names:
            yield FieldError(ErrorType.DUPLICATE, f"{path}.name", name)
        names.add(name)
    elif needs_name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.name")
    yield from number_errors(number, f"{path}.port")
    if (protocol := (text(port, "protocol") or _TCP)) not in PROTOCOLS:
        yield unsupported(f"{path}.protocol", protocol, PROTOCOLS)
    yield from _target_errors(port.get("targetPort") or number, f"{path}.targetPort")
    if isinstance(asked := port.get("appProtocol"), str):
        yield from value_errors(f"{path}.appProtocol", asked, qualified_name(asked))


def _target_errors(target: JSONValue, path: str) -> Iterator[FieldError]:
    """The errors of the target port, which is the Service's port by default."""
    if isinstance(target, str):
        yield from name_errors(target, path)
    elif isinstance(target, int):
        yield from number_errors(target, path)
