"""The API server's errors on fields of a pod with a few values, and on its names, in the words of Kubernetes 1.37."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.template import pod_errors

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
    "character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
KEY = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
    "'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)


@pytest.mark.parametrize(
    ("pod", "errors"),
    [
        ({"dnsPolicy": "", "hostname": "", "subdomain": "", "preemptionPolicy": "Never", "os": {"name": "linux"}}, []),
        (
            {"dnsPolicy": "x"},
            ['dnsPolicy: Unsupported value: "x": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"'],
        ),
        ({"dnsPolicy": "None"}, ["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]),
        ({"dnsPolicy": "None", "dnsConfig": {"nameservers": ["1.1.1.1"]}}, []),
        ({"preemptionPolicy": "x"}, ['preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"']),
        ({"preemptionPolicy": ""}, ["preemptionPolicy: Required value"]),
        ({"os": {"name": "x"}}, ['os: Unsupported value: "x": supported values: "linux", "windows"']),
        ({"os": {"name": ""}}, ["os.name: Required value"]),
        ({"hostname": "A B"}, [f'hostname: Invalid value: "A B": {LABEL}']),
        ({"subdomain": "A B"}, [f'subdomain: Invalid value: "A B": {LABEL}']),
        ({"readinessGates": [{"conditionType": "example.com/ready"}]}, []),
        ({"readinessGates": [{"conditionType": "a b"}]}, [f'readinessGates[0].conditionType: Invalid value: "a b": {KEY}']),
    ],
)
def test_a_pod_has_known_policies_and_good_names(pod: JSONObject, errors: list[str]) -> None:
    assert [str(error).removeprefix("p.") for error in pod_errors(pod, "p")] == errors


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"imagePullPolicy": "", "terminationMessagePolicy": ""}, []),
        ({"imagePullPolicy": "IfNotPresent"}, []),
        (
            {"imagePullPolicy": "always"},
            ['imagePullPolicy: Unsupported value: "always": supported values: "Always", "IfNotPresent", "Never"'],
        ),
        (
            {"terminationMessagePolicy": "x"},
            ['terminationMessagePolicy: Unsupported value: "x": supported values: "File", "FallbackToLogsOnError"'],
        ),
    ],
)
def test_a_container_has_known_policies(fields: JSONObject, errors: list[str]) -> None:
    found = pod_errors({"containers": [{"name": "c", "image": "i", **fields}]}, "p")
    assert [str(error).removeprefix("p.containers[0].") for error in found] == errors
