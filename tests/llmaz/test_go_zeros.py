"""The values that Go leaves out of a pod template, as llmaz's controllers wrote them."""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.go_zeros import without_zeros


def test_empty_values_are_left_out() -> None:
    spec = {
        "restartPolicy": "",
        "schedulerName": "",
        "hostNetwork": False,
        "containers": [
            {
                "name": "",
                "image": "",
                "env": [{"name": "A", "value": ""}, {"name": "B", "value": "0"}],
                "ports": [{"name": "", "containerPort": 0}],
                "readinessProbe": {"httpGet": {"path": "", "port": 0}, "periodSeconds": 0, "failureThreshold": 3},
            }
        ],
        "tolerations": [{"key": "", "operator": "Exists", "value": ""}],
    }
    assert without_zeros(spec) == {
        "containers": [
            {
                "name": "",
                "env": [{"name": "A"}, {"name": "B", "value": "0"}],
                "ports": [{"containerPort": 0}],
                "readinessProbe": {"httpGet": {"port": 0}, "failureThreshold": 3},
            }
        ],
        "tolerations": [{"operator": "Exists"}],
    }


def test_pointers_and_maps_keep_them() -> None:
    spec = {
        "terminationGracePeriodSeconds": 0,
        "automountServiceAccountToken": False,
        "nodeSelector": {"user": "", "host": ""},
        "securityContext": {"runAsUser": 0},
        "containers": [{"name": "a", "restartPolicy": "", "securityContext": {"privileged": False}, "resources": {"limits": {"pool": 0}}}],
        "volumes": [{"name": "v", "hostPath": {"path": "", "type": ""}, "secret": {"optional": False}}],
    }
    assert without_zeros(spec) == spec
