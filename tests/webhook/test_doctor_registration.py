"""What `weighbridge doctor` reports about the webhook configurations and about the way Weighbridge was installed."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.webhook.answering_api import AnsweringAPI
from weighbridge.certs.authority import create_authority
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.registration import FailurePolicy, Registration, ServiceEndpoint
from weighbridge.webhook.doctor.check import Health
from weighbridge.webhook.doctor.installed import Installed, how_installed
from weighbridge.webhook.doctor.registered import Registered, registration_checks

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
AUTHORITY = create_authority(NOW)
INSTALLED = Installed()
MUTATING, VALIDATING = "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"
APPLY = "kubectl apply -f deploy/install.yaml"
RESTART = "kubectl -n weighbridge-system rollout restart deployment/weighbridge"


def _registered(bundle: bytes | None = None) -> Registered:
    """The webhook configurations as installed."""
    pem = AUTHORITY.certificate_pem() if bundle is None else bundle
    registration = Registration(ServiceEndpoint("weighbridge", INSTALLED.namespace), pem)
    return Registered("weighbridge", [registration.mutating(families())], [registration.validating(families())])


def _told(registered: Registered, installed: Installed = INSTALLED, now: datetime = NOW) -> dict[str, tuple[str, str]]:
    """The failed checks: for each its result and the command to run."""
    checks = list(registration_checks(registered, installed, now))
    assert all(check.health in {Health.OK, Health.PROBLEM} for check in checks)
    return {check.name: (check.found, check.run) for check in checks if check.health is Health.PROBLEM}


def _where(registered: Registered) -> tuple[tuple[str, str] | None, set[str]]:
    """The Service that is called, and the excluded namespaces."""
    return registered.service, registered.excluded_namespaces


def test_what_is_installed_is_well() -> None:
    count = len(list(families()))
    influencing = sum(bool(family.influences) for family in families())
    until = f"{AUTHORITY.certificate.not_valid_after_utc:%Y-%m-%d}"
    assert [(check.name, check.health, check.found, check.run) for check in registration_checks(_registered(), INSTALLED, NOW)] == [
        (MUTATING, Health.OK, f"{count} webhooks of this version", ""),
        (f"caBundle of {MUTATING}", Health.OK, f"1 valid of 1, the last one until {until}", ""),
        (
            VALIDATING,
            Health.OK,
            f"{count + influencing} webhooks of this version; in an outage nothing is stored unjudged (failurePolicy Fail)",
            "",
        ),
        (f"caBundle of {VALIDATING}", Health.OK, f"1 valid of 1, the last one until {until}", ""),
        ("other webhooks", Health.OK, "none changes the kinds that Weighbridge fills in", ""),
    ]


def test_a_configuration_that_is_missing_is_told_of() -> None:
    registered = Registered("other", [*_registered().mutating], [])
    lacking = "the cluster has none of the name other, so the API server calls nothing"
    assert _told(registered) == {MUTATING: (lacking, APPLY), VALIDATING: (lacking, APPLY)}
    assert (registered.own, registered.service, registered.excluded_namespaces) == ({}, None, set())


def test_the_service_and_the_excluded_namespaces_are_those_of_the_configurations() -> None:
    registered = _registered()
    assert _where(registered) == (("weighbridge-system", "weighbridge"), {"kube-system", "weighbridge-system"})
    for obj in (*registered.mutating, *registered.validating):
        for webhook in obj["webhooks"]:
            webhook["clientConfig"] = {"url": "https://a" + webhook["clientConfig"]["service"]["path"]}
            webhook["namespaceSelector"]["matchExpressions"][0]["operator"] = "In"
    assert _where(registered) == (None, set())


def _rename(webhook: JSONObject) -> None:
    webhook["name"] += ".old"


def _set(**fields: Any) -> Callable[[JSONObject], None]:
    return lambda webhook: webhook.update(fields)


@pytest.mark.parametrize(
    ("change", "found", "replaces"),
    [
        (_rename, "it lacks {name}, which this version has", False),
        (_set(rules=[]), "{name} names other kinds than this version judges", False),
        (_set(clientConfig={"service": {"path": "/x"}}), "it differs from what this version installs: {name} (clientConfig)", True),
        (_set(matchConditions=[]), "it differs from what this version installs: {name} (matchConditions)", True),
        (_set(matchPolicy="Exact"), "it differs from what this version installs: {name} (matchPolicy)", True),
        (
            _set(namespaceSelector={"matchLabels": {"a": "b"}}),
            "it differs from what this version installs: {name} (namespaceSelector)",
            True,
        ),
        (
            _set(namespaceSelector={"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}),
            "it differs from what this version installs: {name} (namespaceSelector)",
            True,
        ),
        (_set(objectSelector={"matchLabels": {"a": "b"}}), "it differs from what this version installs: {name} (objectSelector)", True),
        (
            _set(objectSelector={"matchExpressions": [{"key": "a", "operator": "Exists"}]}, matchPolicy="Exact"),
            "it differs from what this version installs: {name} (matchPolicy, objectSelector)",
            True,
        ),
        (_set(failurePolicy="Fail"), "{name} must have failurePolicy Ignore, or an outage holds up every call", False),
    ],
)
def test_each_difference_of_a_webhook_is_named(change: Callable[[JSONObject], None], found: str, *, replaces: bool) -> None:
    registered = _registered()
    webhook = registered.mutating[0]["webhooks"][1]
    name, bundle = webhook["name"], webhook["clientConfig"]["caBundle"]
    change(webhook)
    webhook["clientConfig"]["caBundle"] = bundle
    run = f"kubectl delete mutatingwebhookconfiguration weighbridge; {APPLY}" if replaces else APPLY
    assert _told(registered) == {MUTATING: (found.format(name=name), run)}


@pytest.mark.parametrize(
    "change",
    [
        _set(matchPolicy=""),
        _set(namespaceSelector={}),
        _set(namespaceSelector={"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b"]}]}),
        _set(objectSelector={}),
    ],
)
def test_what_changes_nothing_is_no_difference(change: Callable[[JSONObject], None]) -> None:
    registered = _registered()
    change(registered.mutating[0]["webhooks"][1])
    assert _told(registered) == {}


def test_a_webhook_that_this_version_lacks_is_named() -> None:
    registered = _registered()
    webhooks = registered.validating[0]["webhooks"]
    webhooks += [{**webhooks[0], "name": "b.old"}, {**webhooks[0], "name": "a.old"}]
    told = ("it has a.old, b.old, which this version lacks", f"kubectl delete validatingwebhookconfiguration weighbridge; {APPLY}")
    assert _told(registered) == {VALIDATING: told}


def test_the_failure_policy_of_all_validating_webhooks_is_one() -> None:
    registered = _registered()
    webhooks = registered.validating[0]["webhooks"]
    closed = [webhook for webhook in webhooks if webhook["failurePolicy"] == FailurePolicy.FAIL]
    closed[0]["failurePolicy"] = "Ignore"
    others = ", ".join(sorted(webhook["name"] for webhook in closed[1:]))
    told = f"failurePolicy is Fail for {others} and Ignore for {closed[0]['name']}; one must hold for all"
    assert _told(registered) == {VALIDATING: (told, APPLY)}
    for webhook in closed:
        webhook["failurePolicy"] = "Ignore"
    (check,) = (check for check in registration_checks(registered, INSTALLED, NOW) if check.name == VALIDATING)
    open_ones = f"{len(webhooks)} webhooks of this version; in an outage objects pass unjudged (failurePolicy Ignore)"
    assert (check.health, check.found) == (Health.OK, open_ones)


def test_a_bundle_that_trusts_nothing_is_told_of() -> None:
    name = f"caBundle of {MUTATING}"
    empty = "it is empty, so the API server trusts no certificate of the webhook"
    assert _told(_registered(b""))[name] == (empty, RESTART)
    assert _told(_registered(b"x"))[name][0].startswith("it can't be read: ")
    ended = "every certificate in it has expired or isn't valid yet"
    after, before = AUTHORITY.certificate.not_valid_after_utc, AUTHORITY.certificate.not_valid_before_utc
    for moment, is_valid in ((before, True), (after, True), (before - timedelta(seconds=1), False), (after + timedelta(seconds=1), False)):
        assert (name not in _told(_registered(), now=moment)) is is_valid
        assert is_valid or _told(_registered(), now=moment)[name] == (ended, RESTART)


def test_webhooks_with_different_bundles_are_told_of() -> None:
    registered = _registered()
    old = create_authority(NOW - timedelta(days=400)).certificate_pem()
    registered.mutating[0]["webhooks"][0]["clientConfig"]["caBundle"] = b64encode(old + AUTHORITY.certificate_pem()).decode()
    assert _told(registered) == {f"caBundle of {MUTATING}": ("its webhooks have different bundles", RESTART)}
    found = [check.found for check in registration_checks(registered, INSTALLED, NOW) if check.name == f"caBundle of {MUTATING}"]
    assert sorted(text[:14] for text in found) == ["1 valid of 1, ", "2 valid of 2, ", "its webhooks h"]


@pytest.mark.parametrize(
    ("rule", "is_rival"),
    [
        ({"apiGroups": ["*"], "resources": ["*"]}, True),
        ({"apiGroups": ["a", "inference.llmkube.dev"], "resources": ["a", "models"]}, True),
        ({"apiGroups": ["inference.llmkube.dev"], "resources": ["*/*"]}, True),
        ({"apiGroups": ["inference.llmkube.dev"], "resources": ["pods"]}, False),
        ({"apiGroups": [""], "resources": ["*"]}, False),
    ],
)
def test_others_that_change_the_same_kinds_are_named(rule: JSONObject, *, is_rival: bool) -> None:
    registered = _registered()
    other: JSONObject = {"metadata": {"name": "other"}, "webhooks": [{"name": "w.example.org", "rules": [{"apiGroups": ["x"]}, rule]}]}
    both = Registered("weighbridge", [*registered.mutating, other], registered.validating)
    *_, last = registration_checks(both, INSTALLED, NOW)
    rivals = "other/w.example.org may change the same objects; what Weighbridge fills in is reported by dry-run"
    assert last.found == (rivals if is_rival else "none changes the kinds that Weighbridge fills in")
    assert last.health is Health.OK


@pytest.mark.parametrize(
    ("installed", "command"),
    [
        (Installed(), APPLY),
        (Installed(denies=True), f"{APPLY} -f deploy/deny.yaml"),
        (Installed("mine", denies=True), "kubectl apply -k on the overlay that installs into mine"),
        (Installed("mine", "wb", denies=True), "helm upgrade wb deploy/chart -n mine --reuse-values"),
    ],
)
def test_what_is_missing_is_brought_back_the_way_it_came(installed: Installed, command: str) -> None:
    assert installed.apply == command
    assert installed.replace("Secret", "s") == f"kubectl delete secret s; {command}"


@pytest.mark.parametrize(
    ("configuration", "closed", "annotations", "expected"),
    [
        ("mode: deny\nrules: {A-1: off}\n", False, {}, Installed(denies=True, rules={"A-1": False})),
        ("mode: audit\n", True, {}, Installed()),
        ("", True, {}, Installed(denies=True)),
        ("", False, {"meta.helm.sh/release-name": "wb"}, Installed(release="wb")),
        ("a: [", False, {"cert-manager.io/inject-ca-from": "a/b"}, Installed(makes_certificates=False)),
        ("rules: 1\n", False, {}, Installed()),
        (None, True, {}, Installed(denies=True)),
    ],
)
def test_how_it_was_installed_is_seen_in_the_cluster(
    configuration: str | None, annotations: dict[str, str], expected: Installed, *, closed: bool
) -> None:
    path = "/api/v1/namespaces/weighbridge-system/configmaps/weighbridge"
    found: JSONObject | APIError = APIError(403, "Forbidden", "no")
    if configuration is not None:
        found = {"metadata": {"annotations": annotations}, "data": {"configuration.yaml": configuration}}
    webhooks = [{"failurePolicy": "Ignore"}, {"failurePolicy": "Fail" if closed else "Ignore"}]
    server = AnsweringAPI({path: found})
    assert asyncio.run(how_installed(server.api, "weighbridge-system", [{"webhooks": webhooks}])) == expected
    assert server.asked == [path]
