"""The API server's errors on a container: its parts, the sources of its variables, and the claims that it uses."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.container_fields import container_field_errors
from weighbridge.policies.pods.validation.containers import container_errors
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain, qualified_name

ENV = "a valid environment variable name must consist only of printable ASCII characters other than '='"
KEY = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  "
    "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
SUBDOMAIN = dns1123_subdomain("_")[0]
LABEL = dns1123_label("_")[0]
QUALIFIED = qualified_name("a b")[0]
POD_FIELDS = (
    '"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", '
    '"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"'
)
RESOURCES = '"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"'
RANGE = "must be between 0 and 2147483647, inclusive"
SOURCES = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
NO_OBJECT = 'Invalid value: "": must specify one of: `configMapRef` or `secretRef`'
PORT_NAME = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
TOO_MANY = 'Invalid value: "": may not have more than one field specified at a time'


def of_container(container: JSONObject) -> list[str]:
    """The errors on a container that is good except for these fields, in a pod with one volume and two claims."""
    whole = {"name": "c", "image": "i", **container}
    found = (*container_errors(whole, "c", {"v"}, {"b", "a"}), *container_field_errors(whole, "c", {"v"}, pod={}, is_init=False))
    return list(map(str, found))


def of_variable(variable: JSONObject) -> list[str]:
    """The errors on the second variable of a container."""
    return [error.removeprefix("c.env[1].") for error in of_container({"env": [{"name": "A", "value": "x"}, variable]})]


def of_all_from(entry: JSONObject) -> list[str]:
    """The errors on the second entry of `envFrom`."""
    found = of_container({"envFrom": [{"secretRef": {"name": "s"}}, entry]})
    return [error.removeprefix("c.envFrom").removeprefix("[1].") for error in found]


def of_source(source: JSONObject) -> list[str]:
    """The errors on the source of a variable's value."""
    return [error.removeprefix("valueFrom.") for error in of_variable({"name": "B", "valueFrom": source})]


def of_field(path: str) -> list[str]:
    """The errors on a variable that holds a field of the pod."""
    return [error.removeprefix("fieldRef.fieldPath: ") for error in of_source({"fieldRef": {"fieldPath": path}})]


def of_resource(name: str) -> list[str]:
    """The errors on a variable that holds a resource of the container."""
    return [error.removeprefix("resourceFieldRef.resource: ") for error in of_source({"resourceFieldRef": {"resource": name}})]


def of_key(key: str) -> list[str]:
    """The errors on a key of a Secret, which are the same for a ConfigMap's key."""
    errors = [error.removeprefix("secretKeyRef.key: ") for error in of_source({"secretKeyRef": {"name": "s", "key": key}})]
    assert [f"configMapKeyRef.key: {error}" for error in errors] == of_source({"configMapKeyRef": {"name": "s", "key": key}})
    return errors


def of_claims(*claims: tuple[str, str]) -> list[str]:
    """The errors on references to claims, each with a request in the claim."""
    named = [{"name": name, "request": request} for name, request in claims]
    return [error.removeprefix("c.resources.claims") for error in of_container({"resources": {"claims": named}})]


@pytest.mark.parametrize(
    ("container", "errors"),
    [
        ({}, []),
        ({"name": ""}, ["c.name: Required value"]),
        ({"name": "A"}, [f'c.name: Invalid value: "A": {LABEL}']),
        ({"image": ""}, ["c.image: Required value"]),
        ({"image": None}, ["c.image: Required value"]),
        ({"env": None, "envFrom": None, "volumeMounts": None, "resources": None, "securityContext": None, "livenessProbe": None}, []),
        ({"volumeMounts": [{"name": "w", "mountPath": "/x"}]}, ['c.volumeMounts[0].name: Not found: "w"']),
        (
            {"volumeMounts": [{"name": "v", "mountPath": "/x", "mountPropagation": "Bidirectional"}]},
            ["c.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers"],
        ),
        (
            {
                "volumeMounts": [{"name": "v", "mountPath": "/x", "mountPropagation": "Bidirectional"}],
                "securityContext": {"privileged": True},
            },
            [],
        ),
        ({"resources": {"limits": {"cpu": "-1"}}}, ['c.resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0']),
        ({"securityContext": {"runAsGroup": -1}}, [f"c.securityContext.runAsGroup: Invalid value: -1: {RANGE}"]),
        ({"livenessProbe": {}}, ["c.livenessProbe: Required value: must specify a handler type"]),
        ({"readinessProbe": {}}, ["c.readinessProbe: Required value: must specify a handler type"]),
        ({"startupProbe": {}}, ["c.startupProbe: Required value: must specify a handler type"]),
    ],
)
def test_a_container_has_a_name_an_image_and_good_parts(container: JSONObject, errors: list[str]) -> None:
    assert of_container(container) == errors


@pytest.mark.parametrize(
    ("claims", "errors"),
    [
        ([("a", ""), ("b", "")], []),
        ([("", "")], ["[0]: Required value"]),
        ([("c", "")], ['[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims: a, b']),
        ([("a", ""), ("a", "")], ['[1]: Duplicate value: "a"']),
        (
            [("c", ""), ("c", "")],
            [
                '[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims: a, b',
                '[1]: Duplicate value: "c"',
                '[1]: Not found: "c": must be one of the names in pod.spec.resourceClaims: a, b',
            ],
        ),
        ([("a", "r"), ("a", "s"), ("b", "r")], []),
        ([("a", "r"), ("a", "r")], ['[1]: Duplicate value: "a/r"']),
        ([("a", "r"), ("a", "")], ['[1]: Duplicate value: "a"']),
        ([("a", "r"), ("a", "s"), ("a", "")], ['[2]: Duplicate value: "a"', '[2]: Duplicate value: "a"']),
        ([("a", ""), ("a", "r")], ['[1]: Duplicate value: "a"']),
        ([("a", "R")], [f'[0].request: Invalid value: "R": {LABEL}']),
        ([("a", "r"), ("b", "")], []),
    ],
)
def test_a_container_uses_claims_of_its_pod_each_once(claims: list[tuple[str, str]], errors: list[str]) -> None:
    assert of_claims(*claims) == errors


def test_a_pod_without_claims_is_told_so() -> None:
    found = container_errors({"name": "c", "image": "i", "resources": {"claims": [{"name": "a"}]}}, "c", set(), set())
    says = 'c.resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty'
    assert list(map(str, found)) == [says]


@pytest.mark.parametrize(
    ("variable", "errors"),
    [
        ({"name": "A"}, []),
        ({"name": " -<>~"}, []),
        ({"name": ""}, ["name: Required value"]),
        ({"name": "=A"}, [f'name: Invalid value: "=A": {ENV}']),
        ({"name": "é"}, [f'name: Invalid value: "é": {ENV}']),
        ({"name": "\x7f"}, [f'name: Invalid value: "\\x7f": {ENV}']),
        ({"name": "a\n"}, [f'name: Invalid value: "a\\n": {ENV}']),
        ({"name": "", "value": "x", "valueFrom": None}, ["name: Required value"]),
        ({"name": "A", "valueFrom": {}}, [f'valueFrom: Invalid value: "": {SOURCES}']),
        ({"name": "A", "value": "x", "valueFrom": {}}, [f'valueFrom: Invalid value: "": {SOURCES}']),
        ({"name": "A", "valueFrom": {"fieldRef": None}}, [f'valueFrom: Invalid value: "": {SOURCES}']),
        ({"name": "", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}, ["name: Required value"]),
        (
            {"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            ['valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
        ),
        ({"name": "A", "value": "", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}, []),
        (
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}, "resourceFieldRef": {"resource": "limits.cpu"}}},
            ['valueFrom: Invalid value: "": may not have more than one field specified at a time'],
        ),
        (
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "x"}, "secretKeyRef": {"name": "s"}}},
            [
                'valueFrom.fieldRef.fieldPath: Invalid value: "x": error converting fieldPath: field label not supported: x',
                "valueFrom.secretKeyRef.key: Required value",
                'valueFrom: Invalid value: "": may not have more than one field specified at a time',
            ],
        ),
    ],
)
def test_a_variable_has_a_printable_name_and_one_value(variable: JSONObject, errors: list[str]) -> None:
    assert of_variable(variable) == errors


@pytest.mark.parametrize(
    ("entry", "errors"),
    [
        ({"secretRef": {"name": "s"}}, []),
        ({"configMapRef": {"name": "a.b"}}, []),
        ({"prefix": "A_", "secretRef": {"name": "s"}}, []),
        ({"prefix": "", "secretRef": {"name": "s"}}, []),
        ({"prefix": "=", "secretRef": {"name": "s"}}, [f'prefix: Invalid value: "=": {ENV}']),
        ({}, [f": {NO_OBJECT}"]),
        ({"prefix": "x"}, [f": {NO_OBJECT}"]),
        ({"secretRef": None}, [f": {NO_OBJECT}"]),
        ({"secretRef": {}}, ["secretRef.name: Required value"]),
        ({"configMapRef": {"name": ""}}, ["configMapRef.name: Required value"]),
        ({"secretRef": {"name": "A"}}, [f'secretRef.name: Invalid value: "A": {SUBDOMAIN}']),
        ({"configMapRef": {"name": "a_b"}}, [f'configMapRef.name: Invalid value: "a_b": {SUBDOMAIN}']),
        ({"secretRef": {"name": "s-"}}, []),
        ({"secretRef": {"name": "s.-"}}, []),
        ({"secretRef": {"name": "-"}}, [f'secretRef.name: Invalid value: "-": {SUBDOMAIN}']),
        ({"secretRef": {"name": "s"}, "configMapRef": {}}, ["configMapRef.name: Required value", f": {TOO_MANY}"]),
    ],
)
def test_variables_come_from_one_object(entry: JSONObject, errors: list[str]) -> None:
    assert of_all_from(entry) == errors


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({"fieldRef": {}}, ["fieldRef.fieldPath: Required value"]),
        ({"fieldRef": {"fieldPath": "metadata.namespace", "apiVersion": "v1"}}, []),
        (
            {"fieldRef": {"fieldPath": "metadata.uid", "apiVersion": "v2"}},
            ['fieldRef.fieldPath: Invalid value: "metadata.uid": error converting fieldPath: unsupported pod version: v2'],
        ),
        ({"fieldRef": {"apiVersion": "v2"}}, ["fieldRef.fieldPath: Required value"]),
        ({"resourceFieldRef": {}}, ["resourceFieldRef.resource: Required value"]),
        ({"secretKeyRef": {"key": "k"}}, [f'secretKeyRef.name: Invalid value: "": {SUBDOMAIN}']),
        ({"configMapKeyRef": {"name": "A", "key": "k"}}, [f'configMapKeyRef.name: Invalid value: "A": {SUBDOMAIN}']),
        (
            {"secretKeyRef": {"name": "_", "key": "a/b"}},
            [f'secretKeyRef.name: Invalid value: "_": {SUBDOMAIN}', f'secretKeyRef.key: Invalid value: "a/b": {KEY}'],
        ),
    ],
)
def test_a_source_is_named(source: JSONObject, errors: list[str]) -> None:
    assert of_source(source) == errors


@pytest.mark.parametrize(
    ("path", "errors"),
    [
        ("metadata.name", []),
        ("spec.nodeName", []),
        ("spec.host", []),
        ("spec.serviceAccountName", []),
        ("status.podIPs", []),
        ("metadata.labels['a/b']", []),
        ("metadata.annotations['A']", []),
        ("metadata.labels", [f'Unsupported value: "metadata.labels": supported values: {POD_FIELDS}']),
        ("metadata.annotations", [f'Unsupported value: "metadata.annotations": supported values: {POD_FIELDS}']),
        ("spec.restartPolicy", [f'Unsupported value: "spec.restartPolicy": supported values: {POD_FIELDS}']),
        ("spec.schedulerName", [f'Unsupported value: "spec.schedulerName": supported values: {POD_FIELDS}']),
        ("status.phase", [f'Unsupported value: "status.phase": supported values: {POD_FIELDS}']),
        (
            "spec.hostNetwork",
            ['Invalid value: "spec.hostNetwork": error converting fieldPath: field label not supported: spec.hostNetwork'],
        ),
        ("spec.nodename", ['Invalid value: "spec.nodename": error converting fieldPath: field label not supported: spec.nodename']),
        (
            "metadata.labels[a]",
            ['Invalid value: "metadata.labels[a]": error converting fieldPath: field label not supported: metadata.labels[a]'],
        ),
        (
            "metadata.labels['a",
            ["Invalid value: \"metadata.labels['a\": error converting fieldPath: field label not supported: metadata.labels['a"],
        ),
        ("['a']", ["Invalid value: \"['a']\": error converting fieldPath: field label not supported: ['a']"]),
        ("spec['a']", ["Invalid value: \"spec['a']\": error converting fieldPath: field label does not support subscript: spec['a']"]),
        ("metadata.labels['a b']", [f'fieldRef: Invalid value: "a b": {QUALIFIED}']),
        ("metadata.annotations['B ']", [f'fieldRef: Invalid value: "b ": {QUALIFIED}']),
        ("metadata.labels['']", ['fieldRef: Invalid value: "": name part must be non-empty', f'fieldRef: Invalid value: "": {QUALIFIED}']),
    ],
)
def test_a_variable_holds_a_field_that_pods_have(path: str, errors: list[str]) -> None:
    assert of_field(path) == errors


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("limits.cpu", []),
        ("limits.hugepages-2Mi", []),
        ("requests.memory", []),
        ("requests.ephemeral-storage", []),
        ("requests.hugepages-2Mi", []),
        ("limits.hugepages", [f'Unsupported value: "limits.hugepages": supported values: {RESOURCES}']),
        ("requests.pods", [f'Unsupported value: "requests.pods": supported values: {RESOURCES}']),
        ("cpu", [f'Unsupported value: "cpu": supported values: {RESOURCES}']),
    ],
)
def test_a_variable_holds_a_request_or_a_limit(name: str, errors: list[str]) -> None:
    assert of_resource(name) == errors


@pytest.mark.parametrize(
    ("key", "errors"),
    [
        ("", ["Required value"]),
        ("-._aZ09", []),
        ("a b", [f'Invalid value: "a b": {KEY}']),
        ("é", [f'Invalid value: "é": {KEY}']),
        (".", ["Invalid value: \".\": must not be '.'"]),
        ("..", ["Invalid value: \"..\": must not be '..'"]),
        ("...", ["Invalid value: \"...\": must not start with '..'"]),
        ("..a", ["Invalid value: \"..a\": must not start with '..'"]),
        (".a", []),
        ("k" * 253, []),
        ("k" * 254, [f'Invalid value: "{"k" * 254}": must be no more than 253 characters']),
    ],
)
def test_a_key_has_a_name_that_a_file_can_have(key: str, errors: list[str]) -> None:
    assert of_key(key) == errors


@pytest.mark.parametrize(
    ("port", "errors"),
    [
        ({"name": "http", "containerPort": 8080}, []),
        (
            {"name": "a-name-of-many-letters", "containerPort": 8080},
            ['name: Invalid value: "a-name-of-many-letters": must be no more than 15 characters'],
        ),
        ({"name": "Http", "containerPort": 8080}, [f'name: Invalid value: "Http": {PORT_NAME}']),
        ({"name": "metrics", "containerPort": 8080}, ['name: Duplicate value: "metrics"']),
        ({"containerPort": 65536}, ["containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive"]),
        ({"name": "http", "containerPort": 0}, ["containerPort: Required value"]),
        ({"containerPort": 80, "hostPort": -1}, ["hostPort: Invalid value: -1: must be between 1 and 65535, inclusive"]),
        ({"containerPort": 80, "protocol": "tcp"}, ['protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"']),
    ],
)
def test_a_port_has_a_number_and_a_short_name_of_its_own(port: JSONObject, errors: list[str]) -> None:
    found = of_container({"ports": [{"name": "metrics", "containerPort": 9090}, port]})
    assert [error.removeprefix("c.ports[1].") for error in found] == errors
