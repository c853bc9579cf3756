"""The parts that aren't exported, and why."""

from __future__ import annotations

from typing import Any

import pytest

from tests.export.parts import configuration, exported
from weighbridge.policies.ground.server_release import RELEASES, judging

MODEL = "Model.inference.llmkube.dev"
LACKS = "which the API server doesn't have"


def reason(policy: dict[str, Any], **settings: Any) -> str:
    """Why a policy with these parts isn't exported; empty if it is."""
    whole = {"id": "POLICY-001", "name": "tried", "match": {"kinds": [MODEL]}, **policy}
    found = exported(configuration({"policies": [whole], **settings}))
    return found.left[0][1] if found.left else ""


def of(expression: str, kinds: str = MODEL) -> str:
    """Why a policy with this validation isn't exported."""
    return reason({"validations": [{"expression": expression}], "match": {"kinds": [kinds]}})


SCHEMA = "compares lists or objects as their schema says, and the API server knows no schema"


WHERE = "validations[0].expression"
FRACTION = "object.spec.hardware.memoryFraction"
WHY = {
    "effective.gpus <= 2": f"it uses effective, {LACKS}",
    "placement.nodes.size() > 0 && now.getFullYear() > 2": f"it uses placement and now, {LACKS}",
    "cluster.list('Model.inference.llmkube.dev').size() < 3": f"it uses cluster, {LACKS}",
    "image('a').isPinned() || isImage('b') || effective.gpus == 0": f"it uses image(), isImage() and effective, {LACKS}",
    "quantity(1).compareTo(quantity('1')) == 0": f"it uses quantity() of a whole number, {LACKS}",
    "quantity(object.spec.resources.memory).isGreaterThan(quantity('1Gi'))": "",
    "object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')": (
        f"{WHERE} reads object.metadata.creationTimestamp as a date, which to the API server is a text"
    ),
    "has(object.metadata.creationTimestamp)": "",
    f"{FRACTION} < 0.5": "",
    f"double({FRACTION}) * 2.0 < 1.0": "",
    f"{FRACTION} * 2.0 < 1.0": (
        f"{WHERE} reads the number {FRACTION}, which to the API server may be a whole one; write double({FRACTION})"
    ),
    "object.status.conditions == []": f"{WHERE} {SCHEMA}",
    "object.status in [object.status]": f"{WHERE} {SCHEMA}",
    "object.metadata.?finalizers.orValue([]).all(f, f in ['a'])": "",
    "oldObject == null || object.metadata.?labels == oldObject.metadata.?labels": "",
    "!('object' in ['x'].map(object, object + 'y'))": (
        f"{WHERE} names a variable of a macro object, which is a word of its own; choose another name"
    ),
    "request.subResource == ''": f"{WHERE} reads request.subResource, which the API server leaves out where it is empty",
    "request.namespace != '' && request.name != '' && !request.dryRun": "",
}


@pytest.mark.parametrize(("expression", "said"), WHY.items())
def test_a_policy_says_why(expression: str, said: str) -> None:
    assert of(expression) == said


def test_a_kind_without_namespaces_has_no_namespace() -> None:
    said = of("request.namespace == ''", "AIMClusterModel")
    assert said == "validations[0].expression reads request.namespace, which the API server leaves out where it is empty"


def test_a_condition_of_the_server_sees_no_namespace() -> None:
    conditions = [{"name": "lab", "expression": "namespaceObject.metadata.labels.stage == 'lab'"}]
    said = "matchConditions[0] reads namespaceObject, which is null there to the API server; use a validation"
    assert reason({"matchConditions": conditions, "validations": [{"expression": "false"}]}) == said


def test_what_the_release_does_not_know_is_not_exported() -> None:
    with judging(RELEASES[0]):
        said = of("`spec` in ['x'].map(e, object.metadata.name)")
    assert said.startswith("validations[0].expression: ")


def test_texts_of_objects_among_constants_are_refused_as_the_server_does() -> None:
    said = of("['a', object.spec.source].exists(one, one == 'b')")
    assert said.startswith("Kubernetes 1.37 wouldn't store it: spec.validations[0].expression: Invalid value: ")
    assert "expected type 'string' but found 'dyn'" in said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ownExceptions": ["POLICY-*"]}, "ownExceptions lets objects except themselves from it, which the API server doesn't read"),
        ({"rules": {"POLICY-001": "off"}}, "the configuration switches it off"),
        (
            {"enforcement": [{"rules": ["POLICY-001"], "action": "warn", "namespaces": ["lab-*"]}]},
            "enforcement[0] names namespaces by a pattern (lab-*), and a binding takes whole names, or labels by a namespaceSelector",
        ),
    ],
)
def test_the_configuration_says_why(settings: dict[str, Any], said: str) -> None:
    assert reason({"validations": [{"expression": "false"}]}, **settings) == said


def test_a_namespace_keeps_a_kind_without_namespaces_out() -> None:
    said = reason({"validations": [{"expression": "false"}], "match": {"kinds": ["AIMClusterModel"], "namespaces": ["team-a"]}})
    assert said == "it is about no kind whose CRD is known"
