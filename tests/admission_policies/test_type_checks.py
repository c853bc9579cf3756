"""The warnings that kube-controller-manager writes into the status of a policy, in its words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import policy
from tests.programs.type_checks import world
from weighbridge.policies.admission_policies.declarations import read_policy
from weighbridge.policies.admission_policies.type_checks.checks import TypeChecks, check_types
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.ground.objects import JSONObject, field
from weighbridge.policies.ground.server_release import RELEASES, judging

_KNOWN = Definitions.from_manifests(world.OWN)


# Expressions with their warnings; `tests/programs/type_checks` asks the controller's own code about each.
UNFIT = [
    ("object.spec.title == 'Widget#1' || object.spec == 5", "1:48: found no matching overload for '_==_' applied to '(Widget.spec, int)'"),
    ("has(object.spec.colour)", "1:4: undefined field 'colour'"),
    ("object.?spec.colour == 1", "1:13: undefined field 'colour'"),
    ('"a" in object.spec', "1:5: found no matching overload for '@in' applied to '(string, Widget.spec)'"),
    ("object == params", "1:11: undeclared reference to 'params' (in container '')"),
    ("kubernetes.variables && true", "1:11: expected type 'bool' but found 'type(kubernetes.variables)'"),
    ("object.spec == object.metadata", "1:13: found no matching overload for '_==_' applied to '(Widget.spec, Widget.metadata)'"),
    ("Widget{} == object", "1:7: undeclared reference to 'Widget' (in container '')"),
    ('object.spec.until == "x"', "1:19: found no matching overload for '_==_' applied to '(timestamp, string)'"),
    ('object.spec.grace == "1h"', "1:19: found no matching overload for '_==_' applied to '(duration, string)'"),
    ('object.spec.blob == "x"', "1:18: found no matching overload for '_==_' applied to '(bytes, string)'"),
    ("object.spec.maybe == null", "1:19: found no matching overload for '_==_' applied to '(string, null)'"),
    ("object.spec.free.x == 1", "1:17: undefined field 'x'"),
    ("object.spec.any == 1", "1:12: undefined field 'any'"),
    ("object.spec.template.spec == 1", "1:21: undefined field 'spec'"),
    (
        'authorizer.requestResource.check("x").allowed()',
        "1:11: unexpected failed resolution of 'kubernetes.authorization.Authorizer'",
    ),
]
FIT = [
    "object.spec.size < 1.5",
    "object.spec.port == 5 || object.spec.port == 'x'",
    "object.spec.worded == 5",
    "object.spec.dash__dash__ed == 'x'",
    "object.spec.until > timestamp('2024-01-01T00:00:00Z')",
    "object.spec.template.metadata.labels.x == oldObject.metadata.uid",
    "object.metadata.managedFields[0].time == object.metadata.creationTimestamp",
    'authorizer.group("").resource("pods").check("get").allowed()',
    "request.options.x == 1",
    # The expressions that the advice recommends.
    "has(dyn(object.spec).any) && dyn(object.spec.free).x == 1 && dyn(object.spec.maybe) != null",
    "string(object.spec.until) == string(object.spec.blob) && string(object.spec.grace) == string(object.spec.title)",
]


def _rule(*resources: str, group: str = world.GROUP, version: str = "v1") -> JSONObject:
    return {"apiGroups": [group], "apiVersions": [version], "operations": ["*"], "resources": list(resources or ("widgets",))}


def _checked(*validations: str | JSONObject, is_complete: bool = True, **spec: Any) -> TypeChecks:
    rules = spec.pop("rules", [_rule()])
    return check_types(read_policy(policy(*validations, rules=rules, **spec)), _KNOWN, lambda _: is_complete)


def _warned(*validations: str | JSONObject, **spec: Any) -> dict[str, str]:
    return {field(warning.path): warning.text for warning in _checked(*validations, **spec).warnings}


def _said(expression: str, **spec: Any) -> str:
    """The first line of the warning about an expression, without the kind; empty if there is none."""
    text = next(iter(_warned(expression, **spec).values()), "")
    return text.partition("\n")[0].partition("ERROR: <input>:")[2]


def test_a_warning_has_the_words_of_the_controller() -> None:
    assert _warned("object.spec.replicaz <= 5", rules=[_rule("deployments", group="apps")]) == {
        "spec.validations[0].expression": (
            "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicaz'\n | object.spec.replicaz <= 5\n | ...........^\n"
        )
    }


def test_kinds_come_in_order_parted_by_empty_lines() -> None:
    (text,) = _warned("object.spec.foo", rules=[_rule("deployments", group="apps"), _rule("pods", group="")]).values()
    assert [line for line in text.split("\n") if "Kind" in line or not line] == [
        "/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'foo'",
        "",
        "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'foo'",
        "",
        "types.test/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'foo'",
        "",
    ]


def test_only_validations_are_checked() -> None:
    found = _warned(
        {"expression": "object.x == 1", "messageExpression": "object.y"},
        "variables.bad.z == 1",
        matchConditions=[{"name": "c", "expression": "object.c == 1"}],
        auditAnnotations=[{"key": "k", "valueExpression": "object.a"}],
        variables=[{"name": "bad", "expression": "object.v"}],
    )
    assert list(found) == ["spec.validations[0].expression", "spec.validations[0].messageExpression"]


def test_the_types_of_variables_count_where_they_are_used() -> None:
    variables = [{"name": "size", "expression": "object.spec.size"}, {"name": "spec", "expression": "object.spec"}]
    assert _said('variables.size == "x"', variables=variables).endswith("applied to '(int, string)'")
    # A variable that has an object has no type.
    assert _said("variables.spec.sizes == 1", variables=variables) == ""


@pytest.mark.parametrize(("expression", "said"), UNFIT)
def test_what_does_not_fit(expression: str, said: str) -> None:
    assert _said(expression) == said


@pytest.mark.parametrize("expression", FIT)
def test_what_fits(expression: str) -> None:
    assert _warned(expression) == {}


@pytest.mark.parametrize(
    "rule",
    [
        _rule(group="*"),
        _rule(version="*"),
        _rule("*"),
        _rule("widgets/status"),
        _rule("nothings"),
        _rule("widgets", version="v2"),
        _rule("pods", group="apps"),
    ],
)
def test_resources_that_bring_no_kind(rule: JSONObject) -> None:
    assert _checked("object.x == 1", rules=[rule]) == TypeChecks()


@pytest.mark.parametrize("resource", ["widgets", "WIDGETS", "widget"])
def test_names_of_a_resource(resource: str) -> None:
    assert _warned("object.x == 1", rules=[_rule(resource)])


def test_a_rule_of_the_core_group_means_every_group() -> None:
    assert "apps/v1, Kind=Deployment" in str(_warned("object.x == 1", rules=[_rule("deployments", group="")]))


def test_a_rule_brings_ten_kinds_and_ends_the_search() -> None:
    core = ["configmaps", "endpoints", "limitranges", "namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes", "podtemplates"]
    core += ["replicationcontrollers", "resourcequotas", "secrets", "services"]
    (text,) = _warned("object.x == 1", rules=[_rule(*core, group=""), _rule()]).values()
    assert text.count("Kind=") == 10
    assert "Kind=Secret" not in text
    assert "Kind=Widget" not in text


def test_parameters_have_the_type_of_their_kind() -> None:
    kind = {"apiVersion": "v1", "kind": "ConfigMap"}
    assert _said("params.data.x == 1", paramKind=kind).endswith("'(string, int)'")
    widget = {"apiVersion": "types.test/v1", "kind": "Widget"}
    assert _said("object.spec == params.spec", paramKind=widget).endswith("'(Widget.spec, Widget.spec)'")


@pytest.mark.parametrize("server", RELEASES, ids=str)
def test_parameters_of_a_kind_that_is_not_there(server: Any) -> None:
    with judging(server):
        said = _said("params.x == 1", paramKind={"apiVersion": "types.test/v1", "kind": "Gone"})
    assert said == ("" if server.version >= (1, 36) else "1:1: undeclared reference to 'params' (in container '')")


def test_what_is_not_known_is_said() -> None:
    found = _checked(
        "params.x == 1",
        is_complete=False,
        rules=[_rule("rollouts", group="argoproj.io"), _rule("leasecandidates", group="coordination.k8s.io", version="v1beta1"), _rule()],
        paramKind={"apiVersion": "argoproj.io/v1", "kind": "Limit"},
    )
    assert found.warnings == []
    assert found.unchecked == [
        "no CustomResourceDefinition for rollouts.argoproj.io in version v1 is known",
        "no CustomResourceDefinition for its parameters, argoproj.io/v1 Limit, is known",
        "the types of coordination.k8s.io/v1beta1 LeaseCandidate aren't known here",
    ]


@pytest.mark.parametrize(
    ("expression", "hint", "nearest"),
    [
        ("object.spec.sizes == 1", "", "size"),
        ("variables.colours == 1", "", "colour"),
        ("object.?specs.x == 1", "", "spec"),
        ("object.metadata.labels.x == 1", "", ""),
        ("object.spec.free.x == 1", "the type check doesn't know x, because the schema keeps unknown fields here", ""),
        ("object.spec.any == 1", "the type check doesn't know the type of any", ""),
        ("object.zzz == 1", "the fields here are apiVersion, kind, metadata, spec", ""),
        ("authorizer.requestResource.check('x').allowed()", "the type check doesn't know authorizer.requestResource", ""),
        ('object.spec.until == "x"', "when the policy runs, a date of an object is a text; write string(...) around it", ""),
        ('object.spec.blob == "x"', "when the policy runs, the field of an object is a text; write string(...) around it", ""),
        ("object.spec.maybe == null", "the type check doesn't know null", ""),
    ],
)
def test_advice(expression: str, hint: str, nearest: str) -> None:
    (warning,) = _checked(expression, variables=[{"name": "colour", "expression": "1"}]).warnings
    assert warning.advice.hint.startswith(hint) if hint else not warning.advice.hint
    assert warning.advice.nearest == nearest


def test_the_text_of_an_expression_stays_as_it_is() -> None:
    (text,) = _warned("object.spec == '#' // Widget# é").values()
    assert text.splitlines()[1:] == [" | object.spec == '#' // Widget# é", " | ............^"]
