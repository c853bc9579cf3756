"""Policies about connections to pods, as by `kubectl exec`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies import changing
from tests.admission_policies.situations import API, known
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CONNECT"], "resources": ["pods/*"]}


def opened(*objects: JSONObject, phase: Phase = Phase.APISERVER, **options: Any) -> Decision:
    gvk = GroupVersionKind("", "v1", "PodExecOptions")
    asked = Request(
        uid="1",
        operation=Operation.CONNECT,
        gvk=gvk,
        object={"apiVersion": "v1", "kind": "PodExecOptions", **options},
        resource=GroupVersionResource("", "v1", "pods"),
        subresource="exec",
        namespace="lab",
        name="p",
    )
    return decide(asked, known(*objects), DEFAULT, phase)


def denying(expression: str) -> list[JSONObject]:
    spec = {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": expression}]}
    policy = {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "p"}, "spec": spec}
    bound = {"policyName": "p", "validationActions": ["Deny"]}
    return [policy, {**policy, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "b"}, "spec": bound}]


@pytest.mark.parametrize("phase", [Phase.APISERVER, Phase.WHOLE])
def test_a_policy_sees_the_options_of_a_connection(phase: Phase) -> None:
    policies = denying("object.command.all(c, c != 'sh') && request.subResource == 'exec' && oldObject == null")
    assert opened(*policies, command=["ls"], phase=phase).allowed
    refused = opened(*policies, command=["sh"], phase=phase)
    assert refused.code == 422
    assert refused.message.startswith(
        "pods \"p\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression"
    )


def test_an_option_that_is_not_given_is_missing() -> None:
    assert opened(*denying("!has(object.tty)"), stdin=True).allowed
    assert "no such key: container" in opened(*denying("object.container == 'c'"), stdin=True).message


def test_a_mutating_policy_about_a_connection_is_not_checked() -> None:
    policy = changing.policy('Object{command: ["x"]}')
    policy["spec"]["matchConstraints"]["resourceRules"] = [RULE]
    decision = opened(policy, changing.binding(), command=["ls"])
    assert [entry.reason for entry in decision.unchecked] == ["it asks for the exec of a built-in kind"]
