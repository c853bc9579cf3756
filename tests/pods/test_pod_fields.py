"""The API server's errors on a pod's and a container's smaller fields."""

from __future__ import annotations

import pytest

from tests.pods.test_template_validation import CONTAINER, LABEL, SUBDOMAIN, of_pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.pod_fields import ip_messages
from weighbridge.policies.pods.validation.template import pod_errors
from weighbridge.policies.schema.names import dns1123_subdomain_with_underscore, qualified_name

_NO_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_SEARCH = dns1123_subdomain_with_underscore("-")[0]
_EXEC: JSONObject = {"exec": {"command": ["a"]}}
_FORBIDDEN = "Forbidden: may not be set for init containers without restartPolicy=Always"
_DNS = 'supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"'


@pytest.mark.parametrize(
    ("pod", "errors"),
    [
        ({"dnsPolicy": "x"}, [f'dnsPolicy: Unsupported value: "x": {_DNS}']),
        ({"dnsPolicy": "Default"}, []),
        ({"dnsPolicy": "None"}, ["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]),
        (
            {"dnsPolicy": "None", "dnsConfig": {}},
            ["dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"],
        ),
        ({"dnsPolicy": "None", "dnsConfig": {"nameservers": ["1.1.1.1"]}}, []),
        ({"dnsConfig": {"nameservers": ["x"]}}, [f'dnsConfig.nameservers[0]: Invalid value: "x": {_NO_IP}']),
        (
            {"dnsConfig": {"nameservers": ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"]}},
            [
                'dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
            ],
        ),
        ({"dnsConfig": {"searches": ["a_b.c.", ".", "_x.y"]}}, []),
        ({"dnsConfig": {"searches": ["A_b."]}}, [f'dnsConfig.searches[0]: Invalid value: "A_b": {_SEARCH}']),
        ({"dnsConfig": {"options": [{"name": "a"}, {"value": "1"}]}}, ["dnsConfig.options[1]: Required value: must not be empty"]),
        ({"hostAliases": [{"ip": "1.1.1.1", "hostnames": ["a.b"]}]}, []),
        ({"hostAliases": [{"ip": "01.1.1.1"}]}, ['hostAliases[0].ip: Invalid value: "01.1.1.1": must not have leading 0s']),
        ({"hostAliases": [{"ip": ""}]}, [f'hostAliases[0].ip: Invalid value: "": {_NO_IP}']),
        (
            {"hostAliases": [{"ip": "1.1.1.1", "hostnames": ["A_b"]}]},
            [f'hostAliases[0].hostnames[0]: Invalid value: "A_b": {SUBDOMAIN}'],
        ),
        ({"hostname": "A"}, [f'hostname: Invalid value: "A": {LABEL}']),
        ({"subdomain": "A"}, [f'subdomain: Invalid value: "A": {LABEL}']),
        ({"hostname": "a", "subdomain": "b"}, []),
        (
            {"readinessGates": [{"conditionType": "a b"}]},
            [f'readinessGates[0].conditionType: Invalid value: "a b": {qualified_name("a b")[0]}'],
        ),
        ({"preemptionPolicy": "x"}, ['preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"']),
        ({"preemptionPolicy": ""}, ["preemptionPolicy: Required value"]),
        ({"dnsPolicy": "", "hostname": "", "subdomain": "", "preemptionPolicy": "Never", "os": {"name": "linux"}}, []),
        ({"readinessGates": [{"conditionType": "example.com/ready"}]}, []),
        ({"overhead": {"cpu": "-1"}}, ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0']),
        ({"os": {"name": ""}}, ["os.name: Required value"]),
        ({"os": {"name": "plan9"}}, ['os: Unsupported value: "plan9": supported values: "linux", "windows"']),
        (
            {"os": {"name": "linux"}, "securityContext": {"windowsOptions": {"runAsUserName": "x"}}},
            ["securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"],
        ),
        (
            {"hostPID": True, "shareProcessNamespace": True},
            [
                "shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
            ],
        ),
    ],
)
def test_the_smaller_fields_of_a_pod(pod: JSONObject, errors: list[str]) -> None:
    assert of_pod(**pod) == errors


@pytest.mark.parametrize(
    ("container", "errors"),
    [
        ({"imagePullPolicy": "", "terminationMessagePolicy": ""}, []),
        ({"imagePullPolicy": "x"}, ['imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"']),
        (
            {"terminationMessagePolicy": "x"},
            ['terminationMessagePolicy: Unsupported value: "x": supported values: "File", "FallbackToLogsOnError"'],
        ),
        ({"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]}, []),
        (
            {"resizePolicy": [{"resourceName": "nvidia.com/gpu", "restartPolicy": "x"}]},
            [
                'resizePolicy: Unsupported value: "nvidia.com/gpu": supported values: "cpu", "memory"',
                'resizePolicy: Unsupported value: "x": supported values: "NotRequired", "RestartContainer"',
            ],
        ),
        ({"volumeDevices": [{"name": "w", "devicePath": "/x"}]}, ['volumeDevices[0].name: Not found: "w"']),
        ({"lifecycle": {}}, []),
        ({"lifecycle": {"preStop": {}}}, ["lifecycle.preStop: Required value: must specify a handler type"]),
        ({"lifecycle": {"postStart": {"exec": {}}}}, ["lifecycle.postStart.exec.command: Required value"]),
        ({"lifecycle": {"preStop": {"sleep": {"seconds": 30}}}}, []),
        (
            {"lifecycle": {"preStop": {"sleep": {"seconds": 31}}}},
            ["lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)"],
        ),
        (
            {"lifecycle": {"preStop": {**_EXEC, "sleep": {"seconds": 1}}}},
            ["lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type"],
        ),
    ],
)
def test_the_smaller_fields_of_a_container(container: JSONObject, errors: list[str]) -> None:
    found = pod_errors({"containers": [{**CONTAINER, **container}]}, "p")
    assert [str(error).removeprefix("p.containers[0].") for error in found] == errors


@pytest.mark.parametrize("field", ["readinessProbe", "livenessProbe", "startupProbe"])
def test_a_container_that_ends_has_no_probes(field: str) -> None:
    init = {"name": "i", "image": "i", field: _EXEC}
    assert of_pod(initContainers=[init]) == [f"initContainers[0].{field}: {_FORBIDDEN}"]
    assert of_pod(initContainers=[{**init, "restartPolicy": "Always"}]) == []


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("10.9.8.7", ""),
        ("2001:db8::ffff", ""),
        ("010.9.8.7", "must not have leading 0s"),
        ("::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"),
        ("fe80::1%eth0", _NO_IP),
        ("256.1.1.1", _NO_IP),
        ("0256.1.1.1", _NO_IP),
        ("1.1.1", _NO_IP),
        ("", _NO_IP),
    ],
)
def test_an_address_is_a_plain_one(written: str, message: str) -> None:
    assert ip_messages(written) == ([message] if message else [])
