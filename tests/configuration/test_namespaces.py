"""Sections of namespaces only narrow the configuration; one that would widen it is refused with a reason."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.configuration.objects import MODEL, config_map, configured, finding, request
from weighbridge.policies.config import Configuration, Enforcement, PlacedSection, image_of, parse_section
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.policies.verdict.judgement import enforce
from weighbridge.webhook.configuration.mistake import ConfigurationError
from weighbridge.webhook.configuration.namespace_configuration import in_force, troubles, with_config_maps
from weighbridge.webhook.inputs.facts import load_facts

ACTIONS = list(Enforcement)


def weights(config: Configuration, namespace: str = "team-a") -> list[str]:
    """The resulting severities of an error and of a warning of a rule."""
    found = [finding(severity=severity) for severity in (Severity.ERROR, Severity.WARNING)]
    return [str(entry.severity) for entry in enforce(found, config, request(namespace=namespace))]


@pytest.mark.parametrize("cluster", ACTIONS)
@pytest.mark.parametrize("own", ACTIONS)
def test_a_section_makes_a_rule_stricter_and_never_laxer(cluster: Enforcement, own: Enforcement) -> None:
    config = parse(
        {"rules": {"LLMKUBE-001": cluster}, "namespaces": {"team-a": {"enforcement": [{"rules": ["LLMKUBE-*"], "action": own}]}}}
    )
    expected = cluster if own.is_below(cluster) else own
    assert config.ruling("LLMKUBE-001", Severity.ERROR, MODEL, "team-a").action is expected
    assert config.ruling("LLMKUBE-001", Severity.ERROR, MODEL, "team-b").action is cluster


def test_sections_apply_one_after_the_other() -> None:
    config = parse({"namespaces": {"team-a": {"rules": {"LLMKUBE-001": "warn"}}}})
    section = parse_section({"rules": {"LLMKUBE-001": "deny"}})
    more = config.with_sections([PlacedSection("team-a", section, "ConfigMap team-a/x")], {})
    assert (weights(config), weights(more), weights(more, "team-b")) == (["error", "warning"], ["error", "error"], ["error", "warning"])
    ruling = more.ruling("LLMKUBE-001", Severity.WARNING, MODEL, "team-a")
    assert (ruling.origin, ruling.path) == ("ConfigMap team-a/x", ("rules", "LLMKUBE-001"))


def test_what_may_be_filled_in_is_what_all_allow() -> None:
    config = parse(
        {"fillIn": {"images": ["ghcr.io/*", "quay.io/*"]}, "namespaces": {"team-a": {"fillIn": {"images": ["ghcr.io/*", "docker.io/*"]}}}}
    )
    images = ["ghcr.io/a/b", "quay.io/a/b", "docker.io/a/b"]
    assert [config.within("team-b").fills_in_image(image) for image in images] == [True, True, False]
    assert [config.within("team-a").fills_in_image(image) for image in images] == [True, False, False]
    assert config.within("team-b") is config
    assert config.within("team-a") is config.within("team-a")


def test_a_namespace_pins_only_what_nobody_has_pinned() -> None:
    document = {"images": {"pins": {"a/x": "v1"}}, "namespaces": {"team-a": {"images": {"pins": {"a/x:rocm": "v2", "a/y": "v2"}}}}}
    config = parse(document).within("team-a")
    assert [image_of(config, image) for image in ("a/x:rocm", "a/y")] == ["a/x:v1", "a/y:v2"]
    assert image_of(parse(document), "a/y") == "a/y"


@pytest.mark.parametrize(("own", "expected"), [("off", "warn"), ("deny", "deny"), (None, "warn")])
def test_references_are_narrowed(own: str | None, expected: str) -> None:
    section = {} if own is None else {"references": own}
    assert parse({"namespaces": {"team-a": section}}).within("team-a").references == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rules: {LLMKUBE-001: warn}",
            "rules.LLMKUBE-001: LLMKUBE-001 is deny cluster-wide; a namespace may make it stricter only, not warn",
        ),
        (
            "enforcement: [{rules: [PLACE-*], action: off}]",
            "enforcement[0].action: PLACE-001 is warn cluster-wide; a namespace may make it stricter only, not off",
        ),
        ("references: audit", "references: is warn cluster-wide; a namespace may make it stricter only, not audit"),
        (
            "images: {pins: {ghcr.io/a/b: v2}}",
            "images.pins.ghcr.io/a/b: is pinned to v1 cluster-wide; a namespace may pin only what isn't pinned",
        ),
        (
            "images: {pins: {'ghcr.io/a/b:x': v2}}",
            "images.pins.ghcr.io/a/b:x: is pinned to v1 cluster-wide; a namespace may pin only what isn't pinned",
        ),
        ("images: {mirrors: {ghcr.io: evil.example.com}}", "images.mirrors: unknown key; the keys here are pins"),
        ("exceptions: []", "exceptions: is allowed at the top of the cluster-wide document only"),
        ("onError: warn", "onError: is allowed at the top of the cluster-wide document only"),
        ("rules: {LLMKUBE-01: deny}", "rules.LLMKUBE-01: unknown rule"),
        ("enforcement: [{rules: [LLMKUBE-001], action: deny, namespaces: [team-b]}]", "enforcement[0].namespaces: unknown key"),
    ],
)
def test_a_section_that_widens_or_is_wrong_is_refused_wherever_it_stands(tmp_path: Path, text: str, message: str) -> None:
    base = "images: {pins: {ghcr.io/a/b: v1}}\n"
    with pytest.raises(ConfigurationError) as caught:
        configured(tmp_path, f"{base}namespaces:\n  team-a:\n    {text}\n")
    (mistake,) = caught.value.mistakes
    assert f"{mistake.field}: {mistake.message}".startswith(f"namespaces.team-a.{message}")
    assert (mistake.line, mistake.column > 1) == (6, True)
    config = with_config_maps(configured(tmp_path, base), [config_map(text)])
    assert (config.brought, list(config.notes)) == ((), ["team-a"])
    assert config.notes["team-a"][0].startswith("ConfigMap team-a/weighbridge is not used: configuration.yaml:1:")
    assert message in config.notes["team-a"][0]


def test_a_section_may_be_as_strict_as_the_cluster_is() -> None:
    config = with_config_maps(parse({}), [config_map("rules: {LLMKUBE-001: deny, LLMKUBE-003: deny}\nreferences: warn")])
    assert config.notes == {}
    assert config.ruling("LLMKUBE-003", Severity.WARNING, MODEL, "team-a").action == "deny"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no such key with text in its data"),
        ("# nothing\n", "the file is empty; write one document of kind NamespaceConfiguration"),
        ("{}\n---\n{}", "a second document; the first is at line 1"),
        ("- a", "a section is a map with rules, enforcement, references, images or fillIn"),
        ("a: [", "invalid YAML"),
        ("kind: Configuration", "kind: write NamespaceConfiguration, not 'Configuration'"),
        ("#" * 33_000, "larger than 32 KiB, the most that is read"),
        ("rules: {LLMKUBE-001: maybe}\nfillIn: {images: 5}", "(and 1 more)"),
        ("references: deny\nreferences: deny", 'duplicate field "references"'),
        ("references: \ud800", "configuration.yaml"),
    ],
)
def test_a_config_map_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    config = with_config_maps(parse({}), [config_map(text)])
    assert reason in config.notes["team-a"][0]
    assert config.brought == ()


def test_only_config_maps_with_the_label_are_looked_at_and_in_the_order_of_their_names() -> None:
    maps = [
        config_map("fillIn: {images: []}", name="z"),
        config_map("kind: NamespaceConfiguration\napiVersion: weighbridge.dev/v1alpha1\nreferences: deny", name="a"),
        config_map("nonsense", name="other", label="false"),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "odd", "namespace": "team-a", "labels": "no map"}},
    ]
    config = with_config_maps(parse({}), maps)
    assert [placed.origin for placed in config.sections_of("team-a")] == ["ConfigMap team-a/a", "ConfigMap team-a/z"]
    assert config.notes == {}
    assert with_config_maps(config, []).sections_of("team-a") == ()


def test_without_any_the_configuration_stays_the_same_one() -> None:
    config = parse({})
    assert with_config_maps(config, [config_map("x", label="false")]) is config


def test_every_verdict_in_the_namespace_says_that_its_configuration_is_not_used(tmp_path: Path) -> None:
    cluster = tmp_path / "cluster.json"
    cluster.write_text(json.dumps(config_map("references: off")))
    facts = load_facts([str(cluster)])
    config = in_force(parse({}), facts, datetime.now(UTC))
    note = "ConfigMap team-a/weighbridge is not used: configuration.yaml:1:13: references: is warn cluster-wide"
    (trouble,) = troubles(config)
    assert trouble.startswith(note)
    for namespace, expected in (("team-a", 1), ("team-b", 0)):
        obj = {"apiVersion": MODEL.api_version, "kind": "Model", "metadata": {"name": "m"}, "spec": {"source": "https://x/m.gguf"}}
        decision = decide(Request("u", Operation.CREATE, MODEL, obj, namespace=namespace, name="m"), facts, config)
        assert len([warning for warning in decision.warnings if note in warning]) == expected


def test_troubles_name_a_few_of_many_exceptions_that_ended() -> None:
    entry = {"rules": ["*"], "match": {"names": ["m"]}, "reason": "r", "expires": "2020-01-01"}
    told = troubles(parse({"exceptions": [entry] * 20}).at(datetime.now(UTC)))
    assert (len(told), told[-1]) == (6, "15 more exceptions ended")
