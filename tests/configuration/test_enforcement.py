"""Enforcement by rule, kind and namespace: the setting that counts, and the resulting severity of a finding."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.configuration.objects import MODEL, SERVICE, config_map, configured, finding, request
from weighbridge.policies.config.selection import covers
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.verdict.judgement import INTERNAL_RULE, audit_annotations, enforce, ratchet
from weighbridge.webhook.configuration.mistake import ConfigurationError
from weighbridge.webhook.configuration.namespace_configuration import with_config_maps


def weight(document: dict[str, object], rule: str = "LLMKUBE-001", namespace: str = "team-a", gvk: GroupVersionKind = MODEL) -> str | None:
    """The weight that an error of the rule gets; `None` if it is dropped."""
    found = enforce([finding(rule)], parse(document), request(namespace=namespace, gvk=gvk))
    return str(found[0].severity) if found else None


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([{"rules": ["LLMKUBE-001"], "action": "warn"}], "warning"),
        ([{"rules": ["LLMKUBE-*"], "action": "audit"}], "note"),
        ([{"rules": ["*-001"], "action": "off"}], None),
        ([{"rules": ["GIE-*"], "action": "off"}], "error"),
        ([{"rules": ["*"], "kinds": ["Model"], "action": "warn"}], "warning"),
        ([{"rules": ["*"], "kinds": ["Model.inference.llmkube.dev"], "action": "warn"}], "warning"),
        ([{"rules": ["*"], "kinds": ["Model.example.com"], "action": "warn"}], "error"),
        ([{"rules": ["*"], "kinds": ["InferenceService"], "action": "warn"}], "error"),
        ([{"rules": ["*"], "namespaces": ["team-*"], "action": "warn"}], "warning"),
        ([{"rules": ["*"], "namespaces": ["team-b", "team-a"], "action": "warn"}], "warning"),
        ([{"rules": ["*"], "namespaces": ["prod-*"], "action": "warn"}], "error"),
        ([{"rules": ["*"], "action": "off"}, {"rules": ["LLMKUBE-001"], "action": "warn"}], "warning"),
        ([{"rules": ["LLMKUBE-001"], "action": "warn"}, {"rules": ["*"], "action": "off"}], None),
        ([{"rules": ["LLMKUBE-001"], "action": "warn"}, {"rules": ["*"], "namespaces": ["prod"], "action": "off"}], "warning"),
    ],
)
def test_the_later_of_the_entries_that_apply_counts(entries: list[dict[str, object]], expected: str | None) -> None:
    assert weight({"enforcement": entries}) == expected


def test_an_entry_counts_over_the_map_of_rules() -> None:
    document: dict[str, object] = {"rules": {"LLMKUBE-001": "off"}, "enforcement": [{"rules": ["*"], "kinds": ["Model"], "action": "warn"}]}
    assert weight(document) == "warning"
    assert weight(document, gvk=SERVICE) is None


def test_an_object_without_a_namespace_is_in_every_list_that_names_none() -> None:
    assert weight({"enforcement": [{"rules": ["*"], "action": "warn"}]}, namespace="") == "warning"
    assert weight({"enforcement": [{"rules": ["*"], "namespaces": ["team-*"], "action": "warn"}]}, namespace="") == "error"


@pytest.mark.parametrize("action", [False, "off"])
def test_off_is_read_with_and_without_quotes_wherever_it_may_stand(action: object) -> None:
    config = parse({"enforcement": [{"rules": ["*"], "action": action}], "references": action, "namespaces": {"a": {"references": action}}})
    assert (config.enforcement[0].action, config.references, config.namespaces["a"].references) == ("off", "off", "off")


def test_a_failure_of_ours_is_not_switched_off_with_the_rules() -> None:
    failure = finding(INTERNAL_RULE)
    assert enforce([failure], parse({"enforcement": [{"rules": ["*"], "action": "off"}]}), request()) == [failure]


def test_what_was_wrong_before_only_warns_even_where_its_rule_is_set_to_deny() -> None:
    found = enforce([finding()], parse({"rules": {"LLMKUBE-001": "deny"}}), request())
    assert [entry.severity for entry in ratchet(found, [finding()])] == [Severity.WARNING]


def test_a_rule_that_is_only_audited_is_told_to_the_audit_log_alone() -> None:
    found = enforce([finding()], parse({"rules": {"LLMKUBE-001": "audit"}}), request())
    assert audit_annotations(found) == {"rules": "LLMKUBE-001", "audited": "LLMKUBE-001"}
    assert audit_annotations([]) == {}


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("a", "a", True),
        ("a", "ab", False),
        ("*", "", True),
        ("a*", "a", True),
        ("*a", "ba", True),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("a*b*c", "a-b-b-c", True),
        ("a*b*c", "a-c-b", False),
        ("*b*", "abc", True),
        ("a**c", "abc", True),
        ("[a]", "a", False),
        ("?", "a", False),
    ],
)
def test_a_star_stands_for_any_characters_and_nothing_else_is_special(pattern: str, name: str, expected: bool) -> None:
    assert covers(pattern, name) is expected


def test_the_reference_setting_gives_a_weight_to_findings() -> None:
    weights = [parse({"references": action}).references.severity for action in ("deny", "warn", "audit", "off")]
    assert weights == [Severity.ERROR, Severity.WARNING, Severity.NOTE, None]
    assert parse({}).references == "warn"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"rules": ["LLMKUBE-*"], "action": "deny"}, ["note"]),
        ({"rules": ["LLMKUBE-*"], "action": "off"}, []),
        ({"rules": ["LLMKUBE-001"], "action": "warn"}, ["warning"]),
        ({"rules": ["LLMKUBE-*", "LLMKUBE-001"], "action": "deny"}, ["error"]),
    ],
)
def test_a_note_is_raised_by_its_id_alone(entry: dict[str, Any], expected: list[str]) -> None:
    found = enforce([finding("LLMKUBE-001", Severity.NOTE)], parse({"enforcement": [entry]}), request(namespace="team-a"))
    assert [str(one.severity) for one in found] == expected


BY_TEAM = [
    {"rules": ["LLMKUBE-*"], "action": "warn"},
    {"rules": ["LLMKUBE-001"], "namespaceSelector": {"matchLabels": {"stage": "production"}}, "action": "deny"},
    {"rules": ["LLMKUBE-002"], "namespaceSelector": {"matchExpressions": [{"key": "stage", "operator": "Exists"}]}, "action": "off"},
    {"rules": ["LLMKUBE-003"], "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "team-a"}}, "action": "off"},
]


def by_team(rule: str, labels: dict[str, str] | None, namespace: str = "team-a") -> tuple[str, bool] | None:
    """The weight of an error of the rule and whether it says that labels aren't known; `labels` are those of the namespace, if known."""
    known = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": labels}}
    store = ObjectStore() if labels is None else ObjectStore([known])
    found = enforce([finding(rule)], parse({"enforcement": BY_TEAM}), request(namespace=namespace), store)
    return (str(found[0].severity), "the labels of namespace team-a aren't known" in found[0].hint) if found else None


@pytest.mark.parametrize(
    ("rule", "labels", "expected"),
    [
        ("LLMKUBE-001", {"stage": "production"}, ("error", False)),
        ("LLMKUBE-001", {"stage": "test"}, ("warning", False)),
        ("LLMKUBE-001", {}, ("warning", False)),
        ("LLMKUBE-002", {"stage": "test"}, None),
        ("LLMKUBE-002", {}, ("warning", False)),
        ("LLMKUBE-003", {}, None),
        ("LLMKUBE-001", None, ("error", True)),
        ("LLMKUBE-002", None, ("warning", True)),
        ("LLMKUBE-003", None, None),
        ("LLMKUBE-004", None, ("warning", False)),
    ],
)
def test_an_entry_by_labels_of_the_namespace_counts_where_they_are_known_and_else_only_makes_stricter(
    rule: str, labels: dict[str, str] | None, expected: tuple[str, bool] | None
) -> None:
    assert by_team(rule, labels) == expected


def test_an_object_without_a_namespace_has_none_with_labels() -> None:
    assert by_team("LLMKUBE-001", None, namespace="") == ("warning", False)


def test_a_section_is_not_called_laxer_than_what_may_not_hold() -> None:
    assert with_config_maps(parse({"enforcement": BY_TEAM}), [config_map("rules: {LLMKUBE-001: warn}")]).notes == {}


def test_a_selector_that_the_api_server_would_refuse_is_a_mistake(tmp_path: Path) -> None:
    selector = "{matchExpressions: [{key: a, operator: Exists, values: [b]}]}"
    with pytest.raises(ConfigurationError, match=re.escape("namespaceSelector.matchExpressions[0].values: Exists takes no values")):
        configured(tmp_path, f"enforcement:\n- {{rules: ['*'], action: warn, namespaceSelector: {selector}}}\n")
