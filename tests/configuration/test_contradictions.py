"""Settings that have the right form but can't be meant: their paths and messages, anywhere in a configuration."""

from __future__ import annotations

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path
from weighbridge.webhook.configuration.catalogue import listed_rules, rules_by_kind, trouble_with_kind, trouble_with_rule
from weighbridge.webhook.configuration.contradictions import contradictions

NO_RULE_GIVEN = "name one rule at least; * is all of them"
NO_SUCH_RULE = "unknown rule; weighbridge rules lists them"
NO_SUCH_NAMESPACE = "no namespace can have this name"
NO_SECTION = f"{NO_SUCH_NAMESPACE}; a section is for one namespace"
NO_KIND = "no kind of ours; did you mean Model?"
RANGE = "{} is out of range; all annotations of an object may have 262144 bytes"
IN = {"matchExpressions": [{"key": "a", "operator": "In"}]}
IN_PATH = ("matchExpressions", 0, "values")


def exception(**changes: object) -> JSONObject:
    """An exception without a mistake, unless it is changed."""
    return {"exceptions": [{"rules": ["*"], "match": {"names": ["a"]}, "reason": "r", **changes}]}


def of_section(**section: object) -> JSONObject:
    """A section of one namespace."""
    return {"namespaces": {"a": section}}


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (exception(), []),
        (exception(expires="2026-12-31"), []),
        (
            exception(rules=[], match={}, reason=" \n"),
            [
                (("exceptions", 0, "rules"), NO_RULE_GIVEN),
                (("exceptions", 0, "match"), "means every object; to switch a rule off for all use rules or enforcement"),
                (("exceptions", 0, "reason"), "say why in a few words; reports show them"),
            ],
        ),
        (exception(rules=["*", "X"]), [(("exceptions", 0, "rules", 1), NO_SUCH_RULE)]),
        (
            exception(match={"kinds": ["Model", "Modle"], "namespaces": ["a", "A", "a*"], "labelSelector": IN}),
            [
                (("exceptions", 0, "match", "kinds", 1), NO_KIND),
                (("exceptions", 0, "match", "namespaces", 1), NO_SUCH_NAMESPACE),
                (("exceptions", 0, "match", "labelSelector", *IN_PATH), "In needs values"),
            ],
        ),
        (
            exception(expires="9999-99-99" + "x" * 60),
            [
                (
                    ("exceptions", 0, "expires"),
                    f"{'9999-99-99' + 'x' * 54!r} is neither a date nor a time; write one such as 2026-12-31 or 2026-12-31T18:00:00Z",
                )
            ],
        ),
        ({"rules": {"X": "warn", "LLMKUBE-001": "warn"}}, [(("rules", "X"), NO_SUCH_RULE)]),
        (
            {
                "enforcement": [
                    {"rules": ["*"], "action": "warn"},
                    {"rules": [], "kinds": ["Modle"], "namespaces": ["-" * 63, "-" * 64], "namespaceSelector": IN, "action": "warn"},
                ]
            },
            [
                (("enforcement", 1, "rules"), NO_RULE_GIVEN),
                (("enforcement", 1, "kinds", 0), NO_KIND),
                (("enforcement", 1, "namespaces", 1), NO_SUCH_NAMESPACE),
                (("enforcement", 1, "namespaceSelector", *IN_PATH), "In needs values"),
            ],
        ),
        ({"annotations": {"maxBytes": 0}}, [(("annotations", "maxBytes"), RANGE.format(0))]),
        ({"annotations": {"maxBytes": 1}}, []),
        ({"annotations": {"maxBytes": 262_144}}, []),
        ({"annotations": {"maxBytes": 262_145}}, [(("annotations", "maxBytes"), RANGE.format(262_145))]),
        (
            {"namespaces": {"a" * 63: {}, "0-a": {}, "a" * 64: {}, "A": {}, "-a": {}, "a-": {}, "a*": {}}},
            [(("namespaces", name), NO_SECTION) for name in ("a" * 64, "A", "-a", "a-", "a*")],
        ),
        (
            of_section(
                rules={"X": "deny"}, enforcement=[{"rules": ["X"], "kinds": ["Modle"], "action": "deny"}], images={"pins": {"a": ""}}
            ),
            [
                (("namespaces", "a", "rules", "X"), NO_SUCH_RULE),
                (("namespaces", "a", "enforcement", 0, "rules", 0), NO_SUCH_RULE),
                (("namespaces", "a", "enforcement", 0, "kinds", 0), NO_KIND),
                (
                    ("namespaces", "a", "images", "pins", "a"),
                    "'' is neither a tag nor a digest; write one such as b6000, sha256:... or b6000@sha256:...",
                ),
            ],
        ),
        (
            {"expectedResources": {"a": 1, "b": 0, "c": -1}},
            [
                (("expectedResources", name), f"{most} is too few for one node; write at least 1, or leave it out")
                for name, most in (("b", 0), ("c", -1))
            ],
        ),
        (
            {"expectedNodes": {"large": {"allocatable": {"cpu": "500m", "memory": "much"}}}},
            [(("expectedNodes", "large", "allocatable", "memory"), "'much' isn't an amount; write one such as 8, 500m or 64Gi")],
        ),
        (
            {"tolerations": {"gpu/": [], "amd.com/gpu": [{"key": "a"}, {}]}},
            [
                (("tolerations", "gpu/"), "the key isn't a resource name; write domain/name, such as amd.com/gpu"),
                (("tolerations", "amd.com/gpu", 1, "key"), "without a key the operator must be Exists"),
            ],
        ),
        ({"llmkube": {"renderGroup": -1}}, [(("llmkube", "renderGroup"), "-1 isn't a group; write a number from 0 to 2147483647")]),
    ],
)
def test_each_contradiction_is_told_at_its_path(document: JSONObject, found: list[tuple[Path, str]]) -> None:
    assert [*contradictions(parse(document))] == found


def test_the_default_contradicts_nothing() -> None:
    assert [*contradictions(DEFAULT)] == []


# --- names that must exist ---


@pytest.mark.parametrize(
    ("rule", "trouble"),
    [
        ("*", ""),
        ("LLMKUBE-001", ""),
        ("LLMKUBE-*", ""),
        ("X-*", "no rule matches; weighbridge rules lists them"),
        ("PLACE-01", "unknown rule; did you mean PLACE-001?"),
        ("nothing", NO_SUCH_RULE),
    ],
)
def test_a_rule_is_one_of_ours_or_a_pattern_of_some(rule: str, trouble: str) -> None:
    assert trouble_with_rule(rule) == trouble


@pytest.mark.parametrize(
    ("kind", "trouble"),
    [
        ("Model", ""),
        ("Model.inference.llmkube.dev", ""),
        ("Deployment.apps", ""),
        ("Pod.", ""),
        ("Modle", NO_KIND),
        ("Deploymnt.apps", "no kind of ours; did you mean Deployment.apps?"),
        ("Workflow", ""),
    ],
)
def test_a_kind_that_is_nearly_one_of_ours_is_a_mistake_and_others_may_be_workloads(kind: str, trouble: str) -> None:
    assert trouble_with_kind(kind) == trouble


def test_the_general_rules_judge_workloads_and_what_others_depend_on() -> None:
    rules = {rule.id: rule for rule in listed_rules()}
    assert [*rules] == sorted(rules)
    placed = {(kind.group, kind.kind) for kind in rules["PLACE-001"].kinds}
    workloads = {
        ("", "Pod"),
        ("apps", "Deployment"),
        ("apps", "StatefulSet"),
        ("batch", "Job"),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    }
    assert placed > workloads | {("inference.llmkube.dev", "InferenceService"), ("ome.io", "InferenceService")}
    assert ("aim.eai.amd.com", "AIMClusterRuntimeConfig") not in placed
    breaking = {(kind.group, kind.kind) for kind in rules["WB-002"].kinds}
    assert breaking > {("inference.llmkube.dev", "Model"), ("aim.eai.amd.com", "AIMModel"), ("ome.io", "ServingRuntime")}
    # A service of LLMKube breaks the pools and routers that name it.
    assert ("inference.llmkube.dev", "InferenceService") in breaking
    assert not breaking & (workloads | {("aim.eai.amd.com", "AIMService")})
    assert {rules[rule].severity for rule in ("PLACE-001", "WB-002")} == {Severity.WARNING}
    model = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
    assert rules["LLMKUBE-001"].kinds == (model,)
    assert (rules["LLMKUBE-001"], model) in [*rules_by_kind()]
