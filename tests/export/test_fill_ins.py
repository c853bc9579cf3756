"""Exported fill-ins, evaluated as on the server: the same values are stored as with the webhook, with the same record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.export.filling import CONFIG_FILE, FILLED, by_webhook, comparable, filling, stored
from tests.export.parts import configuration, exported
from tests.yaml_documents import read_all
from weighbridge.policies.families import families
from weighbridge.policies.families.native import fill_id
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

CONFIG = filling()
POLICIES = list(exported(CONFIG, "POLICY-*", "llm*").objects)


@pytest.mark.parametrize(("obj", "old"), FILLED, ids=[f"{name_of(obj)}-{namespace_of(obj)}-{obj['kind']}" for obj, _ in FILLED])
def test_the_same_is_stored(obj: JSONObject, old: JSONObject | None) -> None:
    before = None if old is None else stored(old)
    assert comparable(stored(obj, before, *POLICIES)) == comparable(by_webhook(CONFIG, obj, before))


MODEL, SERVICE = "Model.inference.llmkube.dev", "InferenceService.inference.llmkube.dev"
DEFAULTED = "fillIns[0]: spec.priority has a default in the CRD, which a policy can't tell from a value that was written"
NO_ORDER = "and the API server asks policies in no order"
A_LIST = (
    "fillIns[0] works out a list for spec.extraArgs, which the API server can't write into the record of what was filled in;"
    " annotations.objects switches the record off"
)
AN_OPTIONAL = "fillIns[0] yields an optional or a value, and the API server takes an optional for a value; write optional.of() too"
OTHER = {"id": "POLICY-002", "name": "other", "match": {"kinds": [MODEL, SERVICE]}}
CPU = (".spec.resources.cpu", "'1'")
JINJA = {"fillIns": [{"fieldPath": ".spec.jinja", "expression": "true"}]}
LABELLED = {"kinds": [SERVICE], "labelSelector": {"matchLabels": {"a": "b"}}}
SIZE = [{"name": "v", "expression": "size(object.spec.image) > 1"}]


def left(policy: dict[str, Any], *others: dict[str, Any], kinds: str = SERVICE, **settings: Any) -> list[str]:
    """The parts of such a policy that aren't exported, and why."""
    whole = {"id": "POLICY-001", "name": "tried", "match": {"kinds": [kinds]}, **policy}
    return [why for _, why in exported(configuration({"policies": [whole, *others], **settings}), "POLICY-001").left]


def of(path: str, expression: str, *others: tuple[str, str], **more: Any) -> list[str]:
    """The same for a policy with this fill-in, next to one with others."""
    theirs = {**OTHER, "fillIns": [{"fieldPath": where, "expression": text} for where, text in others]}
    return left({"fillIns": [{"fieldPath": path, "expression": expression}], **more}, *([theirs] if others else []))


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (of(".spec.priority", "'batch'"), DEFAULTED),
        (of(".spec.image", "'a'"), f"fillIns[0]: Weighbridge fills in spec.image too, {NO_ORDER}"),
        (of(*CPU, (".spec.resources", "{'memory': '1Gi'}")), f"fillIns[0]: POLICY-002 fills in spec.resources too, {NO_ORDER}"),
        (of(".spec.jinja", "has(object.spec.image)"), "fillIns[0].expression reads spec.image, which Weighbridge fills in"),
        (
            of(".spec.jinja", "object.spec.?resources.?cpu.hasValue()", CPU),
            "fillIns[0].expression reads spec.resources.cpu, which POLICY-002 fills in",
        ),
        (of(".spec.contextSize", "effective.gpus"), "it uses effective, which the API server doesn't have"),
        (of(".spec.extraArgs", "['a'].map(one, one + 'b')"), A_LIST),
        (of(".spec.jinja", "object.metadata.name == 'a' ? dyn(true) : dyn(optional.none())"), AN_OPTIONAL),
        (of(".spec.jinja", "variables.v", variables=SIZE), "variables.v reads spec.image, which Weighbridge fills in"),
        (
            of(".spec.jinja", "true", matchConditions=[{"name": "c", "expression": "has(object.spec.jinja)"}]),
            "matchConditions[0] reads spec.jinja, which POLICY-001 fills in",
        ),
        (of(".metadata.labels.a", "'b'", match=LABELLED), "a labelSelector reads the label a, which POLICY-001 fills in"),
        (left(JINJA, mode="audit"), "mode audit fills in nothing"),
        (left(JINJA, rules={"POLICY-001": "audit"}), "the configuration has it fill in nothing"),
        (left(JINJA, ownExceptions=["*"]), "ownExceptions lets objects except themselves from it, which the API server doesn't read"),
    ],
)
def test_a_fill_in_that_is_not_exported_says_why(found: list[str], why: str) -> None:
    assert found == [why]


def test_what_can_be_exported_of_a_policy_is(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    fills = "[{fieldPath: .spec.priority, expression: \"'batch'\"}, {fieldPath: .spec.jinja, expression: 'true'}]"
    parts = f"match: {{kinds: [{SERVICE}]}}, fillIns: {fills}, validations: [{{expression: effective.gpus < 3}}]"
    policy = f"{{id: POLICY-001, name: some, {parts}}}"
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\npolicies: [{policy}]\n")
    done = run("export", "--config", str(config), "POLICY-*")
    assert [obj["kind"] for obj in read_all(done.stdout)] == ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"]
    assert done.stderr.splitlines() == [
        "not exported: POLICY-001 some: validations: it uses effective, which the API server doesn't have",
        f"not exported: POLICY-001 some: {DEFAULTED}",
        "exported 1 of 1 policy or rule",
        "needs Kubernetes 1.36 or later, and the CRDs of LLMKube v0.9.19",
    ]


def test_a_value_that_is_worked_out_as_a_list_is_exported_without_a_record() -> None:
    without = {"objects": False}
    assert left({"fillIns": [{"fieldPath": ".spec.extraArgs", "expression": "['a'].map(one, one + 'b')"}]}, annotations=without) == []
    config = filling(annotations=without)
    policies = list(exported(config, "POLICY-*").objects)
    for obj, old in FILLED[:3]:
        assert comparable(stored(obj, old, *policies)) == comparable(by_webhook(config, obj, old))


@pytest.mark.parametrize(("release", "version"), [("1.34", "v1beta1"), ("1.35", "v1beta1"), ("1.36", "v1"), ("1.37", "v1")])
def test_the_release_decides_the_version(release: str, version: str) -> None:
    done = run("export", "--config", str(CONFIG_FILE), "POLICY-006", "--kubernetes-version", release)
    assert {obj["apiVersion"] for obj in read_all(done.stdout)} == {f"admissionregistration.k8s.io/{version}"}
    assert ("--runtime-config=" in done.stderr) is (version == "v1beta1")


def test_a_record_that_would_be_too_long_is_not_written() -> None:
    config = filling(annotations={"maxBytes": 60})
    policies = list(exported(config, "POLICY-006").objects)
    (obj,) = (obj for obj, _ in FILLED if name_of(obj) == "small")
    found = stored(obj, None, *policies)
    assert found["spec"]["quantization"] == "Q4_K_M"
    assert "annotations" not in found["metadata"]


def test_every_fill_in_of_a_family_is_exported_or_says_why() -> None:
    found = exported(CONFIG, "*.*")
    done = {policy.id for policy, _ in found.done}
    assert done == {
        "llmaz.Service.spec.workloadTemplate.leaderTemplate.spec.schedulerName",
        "llmaz.Service.spec.workloadTemplate.workerTemplate.spec.schedulerName",
        "llmkube.Model.spec.hardware.gpu.resourceName",
    }
    wanted = {fill_id(family, fill) for family in families() for fill in family.fills}
    assert {name for name, _ in found.built_in_left} == wanted - done
    assert len(wanted) == found.asked


def test_a_fill_in_says_what_the_configuration_lacks() -> None:
    done = run("export", "llm*.*Name", "-v")
    assert (done.returncode, done.stdout) == (1, "")
    assert "resourceName: depends on the nodes; name the resource in llmkube.resourceNames and in expectedResources\n" in done.stderr
    assert done.stderr.count("schedulerName: needs llmaz.schedulerName in the configuration\n") == 2
