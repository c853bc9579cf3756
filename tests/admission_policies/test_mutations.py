"""Mutating policies on requests: their changes and the order of these, their refusals, and results that aren't known offline."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from tests.admission_policies.changing import WRITES, binding, by, by_release, decided, policy, spec_of
from tests.admission_policies.situations import CRD, box, known, request
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.server_release import RELEASES
from weighbridge.policies.verdict.engine import Phase, decide

SIZE = "Object{spec: Object.spec{size: object.spec.size + 1}}"
COLOUR = '[JSONPatch{op: "add", path: "/spec/colour", value: "blue"}]'


def test_both_kinds_of_mutation_change_the_object_one_after_the_other() -> None:
    found = by(policy(SIZE, COLOUR, SIZE), binding())
    assert spec_of(found) == {"size": 7, "colour": "blue"}
    assert [(entry.path, entry.value, entry.source) for entry in found.provenance] == [
        (("spec", "size"), 7, "MutatingAdmissionPolicy p with binding b"),
        (("spec", "colour"), "blue", "MutatingAdmissionPolicy p with binding b"),
    ]


def test_a_policy_without_a_binding_and_a_binding_without_a_policy_do_nothing() -> None:
    assert spec_of(by(policy(SIZE))) == spec_of(by(binding())) == {"size": 5, "colour": "red"}


def test_the_webhook_does_not_ask_them() -> None:
    assert decided(known(policy(SIZE), binding()), phase=Phase.VALIDATE).object["spec"] == {"size": 5}


@pytest.mark.parametrize(
    ("again", "size"), [(("IfNeeded",), 7), (("IfNeeded", "IfNeeded"), 9), (("IfNeeded", "Never"), 8), (("Never",), 6)]
)
def test_a_change_asks_those_once_more_that_want_it(again: tuple[str, ...], size: int) -> None:
    objects = [
        made
        for number, word in enumerate(again)
        for made in (policy(SIZE, name=f"p{number}", reinvocationPolicy=word), binding(f"b{number}", f"p{number}"))
    ]
    assert spec_of(by(*objects))["size"] == size


def test_a_policy_that_changes_nothing_counts_as_a_change_where_its_mutation_ran() -> None:
    # The server evaluates again after each successful mutation.
    noting = policy('[JSONPatch{op: "test", path: "/spec/size", value: 0}]', name="p0")
    assert spec_of(by(noting, binding("b0", "p0"), policy(SIZE, reinvocationPolicy="IfNeeded"), binding()))["size"] == 7


def test_the_result_is_defaulted_and_judged_by_the_schema() -> None:
    assert spec_of(by(policy('[JSONPatch{op: "remove", path: "/spec/colour"}]'), binding())) == {"size": 5, "colour": "red"}
    found = by(policy('[JSONPatch{op: "add", path: "/spec/size", value: "x"}]'), binding())
    assert (found.code, found.message) == (
        422,
        'Box.example.com "one" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    )
    assert found.findings[0].hint == "the value is from MutatingAdmissionPolicy p with binding b"


def test_a_field_that_the_schema_lacks_is_pruned() -> None:
    assert spec_of(by(policy('[JSONPatch{op: "add", path: "/spec/other", value: 1}]'), binding())) == {"size": 5, "colour": "red"}


FAILING = "Object{spec: Object.spec{other: 1}}"
FAILED = "error applying patch: failed to convert patch object to typed object: .spec.other: field not declared in schema"


def test_a_mutation_that_fails_refuses_the_request_and_the_next_ones_run() -> None:
    found = by(policy(FAILING, SIZE, "Object{spec: Object.spec{size: object.none}}"), binding())
    other = "policy 'p' with binding 'b' denied request: expression 'Object{spec: Object.spec{size: object.none}}' resulted in error: "
    assert (found.code, found.message) == (403, f"policy 'p' with binding 'b' denied request: {FAILED}")
    assert [cause["message"] for cause in found.causes] == [found.message, f"{other}no such key: none"]
    assert [(finding.rule, finding.message) for finding in found.findings] == [
        ("K8S-009", cause["message"]) for cause in found.causes
    ]  # fmt: skip


def test_a_failure_that_is_ignored_leaves_what_the_others_changed() -> None:
    assert spec_of(by(policy(FAILING, SIZE, failurePolicy="Ignore"), binding()))["size"] == 6


def test_variables_are_worked_out_anew_for_each_mutation() -> None:
    variables = [{"name": "next", "expression": "object.spec.size * 2"}]
    text = "Object{spec: Object.spec{size: variables.next}}"
    assert spec_of(by(policy(text, text, variables=variables), binding()))["size"] == 20


def test_conditions_see_what_earlier_policies_changed() -> None:
    condition = [{"name": "c", "expression": "object.spec.size > 5"}]
    objects = [policy(SIZE, name="a"), binding("a", "a"), policy(COLOUR, name="z", matchConditions=condition), binding("z", "z")]
    assert spec_of(by(*objects)) == {"size": 6, "colour": "blue"}


def test_parameters_come_from_the_namespace_of_the_request() -> None:
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "lab"}, "data": {"colour": "green"}}
    written = policy("Object{spec: Object.spec{colour: params.data.colour}}", paramKind={"apiVersion": "v1", "kind": "ConfigMap"})
    bound = binding(paramRef={"name": "c", "parameterNotFoundAction": "Deny"})
    assert spec_of(by(written, bound, settings))["colour"] == "green"
    missing = decided(known(written, bound, complete=[("", "ConfigMap")]))
    why = "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
    assert (missing.code, missing.message) == (403, f"policy 'p' with binding 'b' denied request: {why}")
    assert [entry.reason for entry in by(written, bound).unchecked] == ['it asks for its parameters, the ConfigMap "lab/c"']


def test_a_deletion_is_never_mutated() -> None:
    found = decide(request(None, box()), known(policy(FAILING), binding()), DEFAULT, Phase.WHOLE)
    assert found.allowed


def test_a_request_of_another_version_is_mutated_in_the_version_of_the_rule() -> None:
    rule = {"apiGroups": ["example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["boxes"]}
    written = policy("Object{spec: Object.spec{colour: object.apiVersion}}", matchConstraints={"resourceRules": [rule]})
    found = by(written, binding(), obj=box(version="v1beta1"))
    assert (found.object["apiVersion"], spec_of(found)["colour"]) == ("example.com/v1beta1", "example.com/v1")


MOVED_AND_UNREADABLE = """[
    JSONPatch{op: "replace", path: "/metadata/namespace", value: "x"},
    JSONPatch{op: "add", path: "/metadata/labels", value: {"a": []}}
]"""


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('[JSONPatch{op: "replace", path: "/metadata/namespace", value: "x"}]', 400,
         "the namespace of the provided object does not match the namespace sent on the request"),
        (MOVED_AND_UNREADABLE, 400,
         "the namespace of the provided object does not match the namespace sent on the request"),
        ('[JSONPatch{op: "remove", path: "/kind"}]', 500, "Internal error occurred: Object 'Kind' is missing in '"),
        ('[JSONPatch{op: "replace", path: "/apiVersion", value: "example.com/v9"}]', 500,
         "Internal error occurred: failed to convert object: request to convert CR from an invalid group/version: example.com/v9"),
        ('[JSONPatch{op: "replace", path: "/apiVersion", value: "x/v1"}]', 500,
         "Internal error occurred: failed to convert object: x/v1, Kind=Box is unstructured and is not suitable for converting to "),
        ('[JSONPatch{op: "replace", path: "/metadata", value: "x"}]', 500, "Internal error occurred: system metadata was not initialized"),
        ('[JSONPatch{op: "merge"}]', 403, "policy 'p' with binding 'b' denied request: JSON Patch: Unexpected kind: merge"),
        ("has(object.spec.none) ? Object{} : null", 403,
         "policy 'p' with binding 'b' denied request: unsupported return type from ApplyConfiguration expression: null_type"),
        ("Object{spec: Object.metadata{}}", 403,
         "policy 'p' with binding 'b' denied request: type mismatch: unexpected type name \"Object.metadata\", expected \"Object.spec\", "),
    ],
)  # fmt: skip
def test_what_no_server_takes_has_its_answer(text: str, code: int, message: str) -> None:
    found = by(policy(text), binding())
    assert (found.code, found.message[: len(message)]) == (code, message)


def test_what_a_policy_makes_of_the_scale_of_a_custom_resource_is_refused() -> None:
    crd = {**CRD, "spec": {**CRD["spec"], "versions": [{**CRD["spec"]["versions"][0], "subresources": {"scale": _PATHS}}]}}
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "one", "namespace": "lab"}, "spec": {"replicas": 2}}
    asked = replace(
        request(box(), box(), Operation.UPDATE, subresource="scale"), object=scale, gvk=GroupVersionKind("autoscaling", "v1", "Scale")
    )
    objects = [policy("Object{}", matchConstraints=_SCALES), binding(), crd]
    facts = from_objects(objects, Definitions.from_manifests([crd]))
    found = decide(asked, facts, DEFAULT, Phase.APISERVER)
    why = "failed to convert patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale"
    assert (found.code, found.message) == (403, f"policy 'p' with binding 'b' denied request: error applying patch: {why}")


_PATHS = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
_SCALES = {"resourceRules": [{**WRITES, "resources": ["boxes/scale"]}]}


def test_a_server_that_breaks_down_answers_nothing() -> None:
    text = '[JSONPatch{op: "add", path: "/spec/colour", value: [Object.spec.colour{a: 1}]}]'
    found = by_release(RELEASES[-2], policy(text), binding())
    assert [entry.reason for entry in found.unchecked] == ["the API server breaks down on a list of objects as the value of a JSON patch"]
    assert by(policy(text), binding()).code == 422


_PRE = (
    'Pre:[]semver.PRVersion{semver.PRVersion{VersionStr:"a", VersionNum:0x0, IsNum:false}, '
    'semver.PRVersion{VersionStr:"", VersionNum:0x1, IsNum:true}}'
)
_ZONE = "unique.Handle[net/netip.addrDetail]{value:(*netip.addrDetail)(0x…)}"
_OTHER_ZONE = "2026-01-02T03:04:05.5+02:00"


@pytest.mark.parametrize(
    ("value", "plain", "syntax"),
    [
        ('duration("90s")', "1m30s", "90000000000"),
        ('[duration("90s")]', "[1m30s]", "[]interface {}{90000000000}"),
        ('[[duration("90s")]]', "[[1m30s]]", "[]interface {}{[]ref.Val{types.Duration{Duration:90000000000}}}"),
        ('[{"a": duration("90s")}]', "[map[a:1m30s]]", '[]interface {}{map[ref.Val]ref.Val{"a":types.Duration{Duration:90000000000}}}'),
        ('{"a": [duration("90s")]}', "", 'map[string]interface {}{"a":[]ref.Val{types.Duration{Duration:90000000000}}}'),
        ('[{"b": 1u, "a": 2u}]', "[map[a:2 b:1]]", '[]interface {}{map[ref.Val]ref.Val{"a":0x2, "b":0x1}}'),
        (f'timestamp("{_OTHER_ZONE}")', "2026-01-02 03:04:05.5 +0200 +0200",
         'time.Date(2026, time.January, 2, 3, 4, 5, 500000000, time.Location(""))'),
        ('[[timestamp("2026-01-02T03:04:05Z")]]', "[[2026-01-02 03:04:05 +0000 UTC]]",
         "[]interface {}{[]ref.Val{time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)}}"),
        ('b"ab"', "[97 98]", "[]uint8{0x61, 0x62}"),
        ('[[b"ab"]]', "[[[97 98]]]", "[]interface {}{[]ref.Val{types.Bytes{0x61, 0x62}}}"),
        ("5u", "5", "0x5"),
        ("[[dyn(1.5)]]", "[[1.5]]", "[]interface {}{[]ref.Val{1.5}}"),
        ("[[[1]]]", "[[[1]]]", "[]interface {}{[]ref.Val{(*types.baseList)(0x…)}}"),
        ('quantity("1024Mi")', "1Gi", "(*resource.Quantity)(0x…)"),
        ('semver("1.2.3-a.1")', "1.2.3-a.1", f"semver.Version{{Major:0x1, Minor:0x2, Patch:0x3, {_PRE}, Build:[]string(nil)}}"),
        ('ip("10.0.0.1")', "10.0.0.1", f"netip.Addr{{addr:netip.uint128{{hi:0x0, lo:0xffff0a000001}}, z:{_ZONE}}}"),
        ("{true: 1}", '{fail to convert field "colour": map key %!q(types.Bool=true) is of type types.Bool, not string}', ""),
        ('{duration("1s"): 1}', '{fail to convert field "colour": map key "1s" is of type types.Duration, not string}', ""),
        ("{null: 1}", "{fail to convert field \"colour\": map key '\\x00' is of type types.Null, not string}", ""),
    ],
)  # fmt: skip
def test_a_value_in_a_wrong_place_is_printed_as_go_prints_it(value: str, plain: str, syntax: str) -> None:
    as_text = by(policy(f"Object{{spec: Object.spec{{colour: {value}}}}}"), binding()).message
    if syntax:
        assert as_text.endswith(f".spec.colour: expected string, got &value.valueUnstructured{{Value:{syntax}}}")
        assert not plain or by(policy(f"Object{{spec: {value}}}"), binding()).message.endswith(f"expected map, got &{{{plain}}}")
    else:
        assert as_text.endswith(f".spec: expected map, got &{plain}")


def test_a_patch_without_a_document_breaks_the_server_down() -> None:
    found = by(policy('[JSONPatch{op: "replace", path: ""}]'), binding())
    assert [entry.reason for entry in found.unchecked] == [
        "the API server breaks down on a JSON patch that replaces the object and has no value"
    ]


def test_a_type_becomes_its_name() -> None:
    assert by(policy("Object{spec: Object.spec{colour: int}}"), binding()).object["spec"]["colour"] == "int"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('quantity("1Gi")', "type conversion error from 'Quantity' to '*structpb.Value'"),
        ('{duration("1s"): 1}', "type conversion error from 'Duration' to 'string'"),
        ("{true: 1}", "type conversion error from bool to 'string'"),
        ("{1: 1}", "unsupported type conversion from 'int' to string"),
        ("{[1]: 1}", "type conversion error from list to 'string'"),
        ("{int: 1}", "type conversion not supported for 'type'"),
    ],
)
def test_a_value_that_is_no_json_has_the_words_of_the_server(value: str, said: str) -> None:
    found = by(policy(f'[JSONPatch{{op: "add", path: "/spec/colour", value: {value}}}]'), binding()).message
    assert found.endswith(f"evaluated to a type that could not marshal to JSON: {said}")


_STATUS = '[JSONPatch{{op: "replace", path: "/metadata/{}", value: {}}}]'


@pytest.mark.parametrize(("field", "value"), [("annotations", "4"), ("finalizers", "[4]"), ("managedFields", "4"), ("uid", '"other"')])
def test_a_write_to_the_status_keeps_the_stored_metadata_whatever_a_policy_does_to_it(field: str, value: str) -> None:
    stored = box(uid="1", resourceVersion="7", labels={"a": "b"})
    crd = deepcopy(CRD)
    for version in crd["spec"]["versions"]:
        version["subresources"] = {"status": {}}
    rules = {"resourceRules": [{**WRITES, "resources": ["boxes/status"]}]}
    objects = [policy(_STATUS.format(field, value), matchConstraints=rules), binding(), crd]
    facts = from_objects(objects, Definitions.from_manifests([crd]))
    found = decide(request(stored, stored, Operation.UPDATE, subresource="status"), facts, DEFAULT, Phase.APISERVER)
    assert (found.code, found.message) == (200, "")
    assert (found.object["metadata"]["uid"], found.object["metadata"]["labels"]) == ("1", {"a": "b"})


def test_a_uid_that_a_policy_sets_is_no_precondition() -> None:
    stored = box(uid="1", resourceVersion="7")
    found = by(policy(_STATUS.format("uid", '"other"')), binding(), obj=stored, old=stored, operation=Operation.UPDATE)
    assert (found.code, [cause["field"] for cause in found.causes]) == (422, ["metadata.uid"] * 2)


_ADD = '[JSONPatch{{op: "add", path: "/metadata/{}", value: {}}}]'


@pytest.mark.parametrize(("field", "value"), [("creationTimestamp", "{}"), ("uid", "5"), ("generation", "[]")])
def test_the_server_writes_over_what_it_could_not_read_of_an_update(field: str, value: str) -> None:
    stored = box(uid="1", resourceVersion="7", creationTimestamp="2026-01-01T00:00:00Z", generation=1)
    found = by(policy(_ADD.format(field, value)), binding(), obj=stored, old=stored, operation=Operation.UPDATE)
    assert (found.code, found.object["metadata"][field]) == (200, stored["metadata"][field])


def test_a_new_object_has_the_deletion_timestamp_of_a_policy() -> None:
    found = by(policy(_ADD.format("deletionTimestamp", '{"a": "b"}')), binding())
    assert (found.code, [cause["field"] for cause in found.causes]) == (422, ["metadata"])


def test_an_update_without_a_readable_name_has_three_faults() -> None:
    stored = box(uid="1", resourceVersion="7")
    found = by(policy(_ADD.format("name", "5")), binding(), obj=stored, old=stored, operation=Operation.UPDATE)
    assert (found.code, [cause["field"] for cause in found.causes]) == (422, ["metadata.name", "metadata.name", "metadata"])
    assert '"" is invalid' in found.message


def test_the_server_generates_a_name_that_a_policy_has_made_unreadable() -> None:
    new = box()
    new["metadata"] = {"generateName": "a-", "namespace": new["metadata"]["namespace"]}
    assert by(policy(_ADD.format("name", "5")), binding(), obj=new).code == 201


@pytest.mark.parametrize("operation", ["remove", "replace", "add"])
def test_patches_of_managed_fields_are_not_checked(operation: str) -> None:
    found = by(policy(f'[JSONPatch{{op: "{operation}", path: "/metadata/managedFields", value: []}}]'), binding())
    assert [entry.reason for entry in found.unchecked] == ["it asks for metadata.managedFields of a changed object"]


def test_an_update_for_another_object_is_refused_before_a_policy_is_asked() -> None:
    stored, sent = box(uid="1", resourceVersion="7"), box(uid="2", resourceVersion="7")
    found = by(policy("Object{other: 1}"), binding(), obj=sent, old=stored, operation=Operation.UPDATE)
    assert (found.code, "Precondition failed: UID in precondition: 2, UID in object meta: 1" in found.message) == (409, True)
