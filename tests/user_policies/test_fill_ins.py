"""Values that policies fill in: only into fields that the author left open, with their origin, and kept up to date on updates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import run
from tests.user_policies.parts import CLUSTER, KIND, SERVICE, asked, configured, facts, judged, lacked, policy, said
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, JSONValue, field, lookup
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.audit_mode import let_in, would_be

#: The service of `parts` without the fields that the policies fill in.
BARE = SERVICE.replace(", replicas: 2", "")
CPU = (".spec.resources.cpu", "'4'")


def filling(*fields: tuple[str, str], kinds: str = KIND, **more: Any) -> dict[str, Any]:
    """A policy that fills in these fields."""
    entries = [{"fieldPath": path, "expression": text} for path, text in fields]
    return {"id": "POLICY-001", "name": "tried", "match": {"kinds": [kinds]}, "fillIns": entries, **more}


def own(decision: Decision) -> dict[str, JSONValue]:
    """The values that policies filled in, by field; `None` for a value that they removed."""
    entries = (entry for entry in decision.provenance if entry.source.startswith("POLICY-") or entry.value is None)
    return {field(entry.path): entry.value for entry in entries}


def stored(decision: Decision, fields: JSONValue = None) -> JSONObject:
    """The object of a verdict as an API server stores it, after an author has applied the fields of the manifest."""
    obj: JSONObject = deep_copy(decision.object)
    obj["metadata"] |= {"uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}
    applied = fields or {"f:spec": {"f:modelRef": {}, "f:image": {}}, "f:metadata": {"f:labels": {"f:team": {}}}}
    obj["metadata"]["managedFields"] = [
        {"manager": "kubectl", "operation": "Apply", "apiVersion": obj["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": applied}
    ]
    return obj


def again(config: Configuration, obj: JSONObject, old: JSONObject | None = None, **more: Any) -> Decision:
    """The mutating webhook's answer to an update."""
    return judged(config, yaml.safe_dump(obj), old=yaml.safe_dump(old or obj), phase=Phase.MUTATE, **more)


# --- what is filled in ---


@pytest.mark.parametrize(
    ("path", "expression", "value"),
    [
        (".spec.endpoint.port", "8080 + 1", 8081),
        (".spec.resources.cpu", "string(effective.pods.size() + 3)", "4"),
        (".metadata.labels['example.com/gpus']", "string(effective.gpus)", "1"),
        (".metadata.annotations['a.b/c']", "object.spec.modelRef + '!'", "llama!"),
        (".spec.nodeSelector['stage']", "namespaceObject.metadata.?labels[?'stage']", "lab"),
        (".spec.nodeSelector", "{'stage': 'lab'}", {"stage": "lab"}),
        (".spec.jinja", "cluster.get('Model.inference.llmkube.dev', 'llama').hasValue()", True),
        (".spec.replicas", "3", 3),
        (".spec.modelRef", "'other'", None),
        (".spec.image", "'other'", None),
        (".metadata.labels.team", "'b'", None),
        (".spec.resources.memory", "optional.none()", None),
        (".spec.resources.memory", "object.?spec.?resources.?cpu", None),
    ],
)
def test_an_open_field_gets_the_value_and_a_written_one_never(path: str, expression: str, value: JSONValue) -> None:
    decision = judged(configured(filling((path, expression))), BARE)
    assert said(decision) == []
    assert list(own(decision).values()) == ([] if value is None else [value])
    assert all(entry.reason == "tried" for entry in decision.provenance if entry.source == "POLICY-001")


def test_a_list_is_filled_in_as_a_whole_and_its_items_have_their_origin() -> None:
    config = configured(filling((".spec.tolerations", "[{'key': 'a', 'operator': 'Exists'}, {'key': 'b', 'operator': 'Exists'}]")))
    assert list(own(judged(config, BARE))) == ["spec.tolerations[0]", "spec.tolerations[1]"]
    written = BARE.replace("modelRef: llama", "modelRef: llama, tolerations: []")
    assert own(judged(config, written)) == {}


def test_the_reason_is_shown_and_the_patch_makes_missing_parents() -> None:
    fill = {**filling(CPU), "fillIns": [{"fieldPath": CPU[0], "expression": CPU[1], "reason": "four of them are enough"}]}
    decision = judged(configured(fill), BARE, phase=Phase.MUTATE)
    assert 'weighbridge set spec.resources.cpu to "4" (POLICY-001: four of them are enough)' in decision.warnings
    assert decision.patch[:2] == (
        {"op": "add", "path": "/spec/resources", "value": {}},
        {"op": "add", "path": "/spec/resources/cpu", "value": "4"},
    )
    assert decision.audit_annotations["filled-in"] == "spec.resources.cpu"


def test_the_first_policy_with_a_value_fills_the_field() -> None:
    none, first, second = filling((CPU[0], "optional.none()")), filling((CPU[0], "'1'")), filling((CPU[0], "'2'"))
    policies = [{**one, "id": f"POLICY-00{place}", "name": f"p{place}"} for place, one in enumerate((none, first, second), start=1)]
    decision = judged(configured(*policies), BARE)
    assert [(entry.value, entry.source) for entry in decision.provenance if entry.source.startswith("POLICY")] == [("1", "POLICY-002")]


MODEL = """
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: team-a}
spec: {source: "https://example.com/a.gguf", hardware: {gpu: {vendor: amd}}}
"""


def test_what_a_policy_adds_to_the_map_of_another_is_its_own() -> None:
    first, second = filling((".spec.resources", "{'cpu': '4'}")), filling((".spec.resources.memory", "'4Gi'"), id="POLICY-002", name="more")
    config = configured(first, second)
    decision = judged(config, BARE)
    assert own(decision) == {"spec.resources": {"cpu": "4"}, "spec.resources.memory": "4Gi"}
    assert decision.object["spec"]["resources"] == again(config, stored(decision)).object["spec"]["resources"]


@pytest.mark.parametrize("value", ["dyn(2.5)", "dyn('x')"])
def test_a_value_whose_type_is_known_only_then_is_refused_by_the_schema(value: str) -> None:
    assert judged(configured(filling((".spec.replicas", value))), BARE).code == 422


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("dyn({1: 'a'})", "yields a map with a key of type int; keys are texts"),
        ("dyn(duration('1s'))", "yields google.protobuf.Duration, which JSON doesn't have"),
        ("dyn(1.0 / 0.0)", "yields a number that JSON doesn't have"),
    ],
)
def test_a_value_that_is_no_json_fails(value: str, why: str) -> None:
    decision = judged(configured(filling((".spec.nodeSelector", value))), BARE)
    assert said(decision) == [f"WB-014 error POLICY-001 tried fails: fillIns[0].expression: {why}"]


def test_expressions_see_what_weighbridge_fills_in_and_nothing_of_policies() -> None:
    fields = [
        (".spec.quantization", "'q4'"),
        (".metadata.labels.resource", "object.spec.hardware.gpu.resourceName.replace('/', '-')"),
        (".metadata.labels.quantized", "string(has(object.spec.quantization))"),
    ]
    decision = judged(configured(filling(*fields, kinds="Model")), MODEL.replace("vendor: amd", "vendor: amd, count: 1"))
    assert own(decision) == {"spec.quantization": "q4", "metadata.labels.resource": "amd.com-gpu", "metadata.labels.quantized": "false"}


def test_what_weighbridge_fills_in_follows_from_what_policies_fill_in() -> None:
    config = configured(filling((".spec.hardware.gpu.count", "1"), kinds="Model"))
    decision = judged(config, MODEL)
    assert decision.object["spec"]["hardware"]["gpu"] == {"count": 1, "vendor": "amd", "resourceName": "amd.com/gpu"}
    there = stored(decision, {"f:spec": {"f:source": {}, "f:hardware": {"f:gpu": {"f:vendor": {}}}}})
    assert again(config, there).patch == ()
    gone = again(configured(filling((".spec.hardware.gpu.count", "optional.none()"), kinds="Model")), there)
    assert gone.object["spec"]["hardware"]["gpu"] == {"vendor": "amd"}


def test_the_validations_see_what_is_filled_in_and_the_schema_refuses_a_bad_value() -> None:
    both = {**filling((".spec.replicas", "3")), "validations": [{"expression": "object.spec.replicas < 3"}]}
    assert said(judged(configured(both), BARE)) == ["POLICY-001 error failed expression: object.spec.replicas < 3"]
    bad = judged(configured(filling((".spec.replicas", "-1"))), BARE)
    assert (bad.allowed, bad.code) == (False, 422)
    assert {finding.field for finding in bad.findings if finding.rule == "K8S-003"} == {"spec.replicas", ".spec.replicas"}


# --- the three doors ---


def test_every_door_sees_the_same(tmp_path: Path) -> None:
    fill = filling((".spec.replicas", "3"), match={"kinds": [KIND], "namespaceSelector": {"matchLabels": {"stage": "lab"}}})
    config = {
        "apiVersion": "weighbridge.dev/v1alpha1",
        "kind": "Configuration",
        "policies": [fill, policy("effective.gpus < 3", id="POLICY-002", name="few")],
    }
    for name, text in {"config": yaml.safe_dump(config), "service": BARE.lstrip(), "cluster": CLUSTER.lstrip()}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    options = [str(tmp_path / "service.yaml"), "--cluster", str(tmp_path / "cluster.yaml"), "--config", str(tmp_path / "config.yaml")]
    assert "error[POLICY-002] failed expression: effective.gpus < 3" in run("lint", *options).stdout
    record = json.loads(run("dry-run", *options, "-o", "json").stdout)["verdicts"][0]
    assert {"field": "spec.replicas", "value": 3, "source": "POLICY-001", "reason": "tried"} in record["provenance"]
    parsed = configured(*config["policies"])  # type: ignore[arg-type]
    request = asked(BARE)
    filled = decide(request, facts(), parsed, Phase.MUTATE)
    assert filled.patch
    assert said(decide(asked(yaml.safe_dump(filled.object)), facts(), parsed, Phase.VALIDATE)) == said(judged(parsed, BARE)) != []


def test_an_object_that_comes_with_the_judged_one_is_filled_in_too() -> None:
    config = configured(
        filling((".spec.hardware.gpu.count", "4"), kinds="Model"), policy("effective.gpus == 4", id="POLICY-002", name="four")
    )
    cluster = CLUSTER.replace("gpu: {count: 1}", "gpu: {}")
    assert said(judged(config, BARE, cluster)) == []
    assert said(judged(configured(policy("effective.gpus == 4")), BARE, cluster)) != []


# --- updates ---


def test_an_update_without_a_change_changes_nothing() -> None:
    config = configured(
        filling(
            CPU,
            (".spec.replicas", "3"),
            (".spec.nodeSelector", "{'a': 'b'}"),
            (".spec.tolerations", "[{'key': 'a', 'operator': 'Exists'}]"),
        )
    )
    there = stored(judged(config, BARE))
    assert again(config, there).patch == ()
    applied = judged(config, BARE, old=yaml.safe_dump(there))
    assert applied.object["spec"] == there["spec"]
    assert applied.object["metadata"]["annotations"] == there["metadata"]["annotations"]


@pytest.mark.parametrize(
    ("new", "operations"),
    [
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "'8'"}]}, [("replace", "/spec/resources/cpu", "8")]),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "optional.none()"}]}, [("remove", "/spec/resources", None)]),
        ({"matchConditions": [{"name": "never", "expression": "false"}]}, [("remove", "/spec/resources", None)]),
        ({"match": {"kinds": [KIND], "names": ["other"]}}, [("remove", "/spec/resources", None)]),
        ({"match": {"kinds": [KIND], "operations": ["CREATE"]}}, []),
        ({"fillIns": [{"fieldPath": CPU[0], "expression": "string(1 / 0)"}], "failurePolicy": "Ignore"}, []),
        ({"match": {"kinds": [KIND], "namespaceSelector": {"matchLabels": {"a": "b"}}}}, []),
    ],
)
def test_a_value_follows_the_policy_and_stays_where_it_can_not_say(
    new: dict[str, Any], operations: list[tuple[str, str, JSONValue]]
) -> None:
    there = stored(judged(configured(filling(CPU)), BARE))
    cluster = CLUSTER.replace("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {stage: lab}}\n---\n", "")
    decision = again(configured({**filling(CPU), **new}), there, cluster=cluster)
    made = [(change["op"], change["path"], change.get("value")) for change in decision.patch if "annotations" not in change["path"]]
    assert made == operations


def test_a_value_that_the_author_writes_later_is_the_authors() -> None:
    config = configured(filling(CPU))
    there = stored(judged(config, BARE))
    written = BARE.replace("modelRef: llama", "modelRef: llama, resources: {cpu: '2'}")
    assert judged(config, written, old=yaml.safe_dump(there)).object["spec"]["resources"] == {"cpu": "2"}
    changed = deep_copy(there)
    changed["spec"]["resources"]["cpu"] = "2"
    assert [change["path"] for change in again(config, changed, there).patch] == ["/metadata/annotations"]


def test_a_stored_object_gets_the_value_with_the_next_change_of_its_spec() -> None:
    there = stored(judged(configured(), BARE))
    assert KEY not in there["metadata"].get("annotations", {})
    config = configured(filling(CPU))
    labelled = deep_copy(there)
    labelled["metadata"]["labels"]["a"] = "b"
    assert again(config, labelled, there).patch == ()
    changed = deep_copy(there)
    changed["spec"]["suspend"] = True
    assert lookup(again(config, changed, there).object, ("spec", "resources", "cpu")) == "4"


def test_a_value_of_a_policy_is_none_of_the_familys_to_find_stale_or_take_away() -> None:
    # The family fills in this field of other services.
    config = configured(filling((".spec.endpoint.port", "9000")))
    there = stored(judged(config, BARE))
    assert again(config, there).patch == ()
    cluster = f"{CLUSTER}---\n{yaml.safe_dump(there)}"
    offline = decide(asked(BARE, yaml.safe_dump(there)), facts(cluster, BARE), config)
    assert [finding.rule for finding in offline.findings if finding.rule == "WB-001"] == []
    there["spec"]["suspend"] = True
    assert lookup(again(configured(), there).object, ("spec", "endpoint", "port")) == 9000


def test_a_forged_record_makes_no_value_ours() -> None:
    config = configured(filling(CPU))
    forged = yaml.safe_load(BARE)
    forged["spec"]["resources"] = {"cpu": "2"}
    forged["metadata"]["annotations"] = {KEY: json.dumps([{"field": "spec.resources.cpu", "value": "2", "source": "POLICY-001"}])}
    assert judged(config, yaml.safe_dump(forged)).object["spec"]["resources"] == {"cpu": "2"}


# --- the configuration weighs it ---


@pytest.mark.parametrize(
    ("settings", "is_filled"),
    [
        ({}, True),
        ({"rules": {"POLICY-001": "warn"}}, True),
        ({"rules": {"POLICY-001": "audit"}}, False),
        ({"rules": {"POLICY-001": "off"}}, False),
        ({"rules": {"POLICY-001": "off"}, "namespaces": {"team-a": {"rules": {"POLICY-001": "deny"}}}}, True),
        ({"enforcement": [{"rules": ["POLICY-*"], "namespaces": ["team-*"], "action": "off"}]}, False),
        ({"exceptions": [{"rules": ["POLICY-001"], "match": {"names": ["chat"]}, "reason": "x", "expires": "2026-12-31"}]}, False),
        ({"exceptions": [{"rules": ["POLICY-001"], "match": {"names": ["chat"]}, "reason": "x", "expires": "2026-12-30"}]}, True),
    ],
)
def test_a_policy_that_is_off_recorded_or_excepted_from_fills_nothing_in(settings: dict[str, Any], is_filled: bool) -> None:
    decision = judged(configured(filling(CPU, severity="note"), **settings), BARE, moment="2026-12-31T12:00:00+00:00")
    assert bool(own(decision)) is is_filled


FAILURE = "POLICY-001 tried fails: fillIns[0].expression: division by zero"


@pytest.mark.parametrize(
    ("more", "settings", "finding", "allowed"),
    [
        ({}, {}, f"WB-014 error {FAILURE}", False),
        ({"failurePolicy": "Ignore"}, {}, f"WB-014 note {FAILURE}", True),
        ({}, {"rules": {"WB-014": "warn"}}, f"WB-014 warning {FAILURE}", True),
    ],
)
@pytest.mark.parametrize("phase", [Phase.WHOLE, Phase.MUTATE])
def test_a_fill_in_that_fails_goes_by_the_failure_policy(
    more: dict[str, Any], settings: dict[str, Any], finding: str, allowed: bool, phase: Phase
) -> None:
    fails = filling((".spec.replicas", "3 / (2 - int(size('ab')))"), CPU, **more)
    decision = judged(configured(fails, **settings), BARE, phase=phase)
    assert (said(decision), decision.allowed) == ([finding], allowed)
    assert own(decision) == {"spec.resources.cpu": "4"}


def test_a_condition_that_fails_is_said_once() -> None:
    fails = {**filling(CPU), "matchConditions": [{"name": "f", "expression": "1 / 0 == 1"}], "validations": [{"expression": "true"}]}
    decision = judged(configured(fails), BARE)
    assert said(decision) == ["WB-014 error POLICY-001 tried fails: matchConditions[0].expression: division by zero"]
    lacks = {**filling(CPU), "matchConditions": [{"name": "f", "expression": "request.userInfo.username == 'a'"}]}
    both = {**lacks, "validations": [{"expression": "true"}]}
    assert lacked(judged(configured(both), BARE)) == ["POLICY-001 tried: the user isn't known offline"]


def test_a_fill_in_that_lacks_a_fact_fills_nothing_in_and_is_not_checked() -> None:
    config = configured(filling((".metadata.labels.by", "request.userInfo.username")))
    offline = judged(config, BARE)
    assert (own(offline), lacked(offline)) == ({}, ["POLICY-001 tried: the user isn't known offline"])
    online = judged(config, BARE, phase=Phase.MUTATE, user_info={"username": "ann"})
    assert own(online) == {"metadata.labels.by": "ann"}


def test_the_costs_of_a_fill_in_are_bounded() -> None:
    long = "[1,2,3,4,5,6,7,8,9,10]"
    nested = "".join(f"{long}.all(x{depth}, " for depth in range(6)) + "true" + ")" * 6
    assert said(judged(configured(filling((".spec.replicas", f"{nested} ? 1 : 2"))), BARE)) == [
        "WB-014 error POLICY-001 tried fails: fillIns[0].expression: operation cancelled: actual cost limit exceeded"
    ]


OTHER_FAMILIES = {
    "AIMServiceTemplate.aim.eai.amd.com": (
        "apiVersion: aim.eai.amd.com/v1alpha1\nkind: AIMServiceTemplate\nmetadata: {name: a}\nspec: {modelName: m}\n",
        (".spec.hardware.gpu.requests", "2"),
    ),
    "InferenceService.ome.io": (
        "apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata: {name: a}\nspec: {model: {name: m}, engine: {}}\n",
        (".spec.engine.minReplicas", "2"),
    ),
    "Playground.inference.llmaz.io": (
        "apiVersion: inference.llmaz.io/v1alpha1\nkind: Playground\nmetadata: {name: a}\nspec: {modelClaim: {modelName: m}}\n",
        (".spec.replicas", "2"),
    ),
    "InferencePool.inference.networking.k8s.io": (
        (
            "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: a}\n"
            "spec: {selector: {matchLabels: {a: b}}, targetPorts: [{number: 80}], endpointPickerRef: {name: e, port: {number: 9002}}}\n"
        ),
        (".metadata.labels['team']", "'a'"),
    ),
}


@pytest.mark.parametrize("kind", OTHER_FAMILIES)
def test_every_family_has_fill_ins(kind: str) -> None:
    obj, fill = OTHER_FAMILIES[kind]
    config = configured(filling(fill, kinds=kind))
    for phase in (Phase.WHOLE, Phase.MUTATE):
        assert len(own(judged(config, obj, phase=phase))) == 1
    assert again(config, stored(judged(config, obj), {"f:spec": {}})).patch == ()


def test_in_mode_audit_nothing_is_filled_in_and_the_object_is_judged_as_if_it_were() -> None:
    config = configured(filling((".spec.replicas", "3")), policy("object.spec.replicas < 3", id="POLICY-002", name="few"), mode="audit")

    def decided(request: Request, phase: Phase) -> Decision:
        return decide(request, facts(), config, phase)

    request = asked(BARE)
    judged_so = would_be(decided, request, Phase.VALIDATE)
    assert said(judged_so) == ["POLICY-002 error failed expression: object.spec.replicas < 3"]
    assert lookup(request.object, ("spec", "replicas")) is None
    assert let_in(would_be(decided, request, Phase.MUTATE), Phase.MUTATE).patch == ()
