"""The exported policies fit the types of their kinds: kube-controller-manager has no warnings."""

from __future__ import annotations

import pytest

from tests.command_line import run
from tests.export.parts import DEFINITIONS, configuration, exported
from tests.export.test_command import GALLERY
from tests.yaml_documents import read_all
from weighbridge.policies.admission_policies.declarations import read_policy
from weighbridge.policies.admission_policies.type_checks.checks import TypeChecks, check_types
from weighbridge.policies.admission_policies.type_checks.kinds import kinds_to_check
from weighbridge.policies.ground.objects import GroupVersionResource, JSONObject


def exported_policies() -> list[JSONObject]:
    """The exported policies of the tests' configuration, of the gallery and of all rules."""
    written = [*run("export", "*").stdout.split("\n---\n"), *run("export", "--config", str(GALLERY), "POLICY-*").stdout.split("\n---\n")]
    found = [*exported(configuration()).objects, *(obj for text in written for obj in read_all(text))]
    return [obj for obj in found if obj["kind"] == "ValidatingAdmissionPolicy"]


def _never(resource: GroupVersionResource) -> None:
    pytest.fail(f"{resource} isn't known")


def test_exported_policies_fit_their_types() -> None:
    policies = exported_policies()
    assert len(policies) > 30
    for policy in map(read_policy, policies):
        assert kinds_to_check(policy.head.match.rules, DEFINITIONS, _never)
        assert check_types(policy, DEFINITIONS, lambda _: False) == TypeChecks(), policy.head.name
