"""The webhook configurations."""

from __future__ import annotations

import base64
import re

import pytest

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.cluster.registration import PATHS, REVIEW_VERSIONS, FailurePolicy, Registration, ServiceEndpoint, URLEndpoint
from weighbridge.webhook.server import review
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service

_SERVICE = ServiceEndpoint("weighbridge", "weighbridge-system")
_BUNDLE = b"-----BEGIN CERTIFICATE-----\n"
_FORM = "; desired format: https://host[/path]"
#: URLs that the API server refuses, with its messages.
BAD_URLS = {
    "http://example.com": f"Invalid value: \"http\": 'https' is the only allowed URL scheme{_FORM}",
    "example.com": f"Invalid value: \"\": 'https' is the only allowed URL scheme{_FORM}",
    "": f"Invalid value: \"\": 'https' is the only allowed URL scheme{_FORM}",
    "https://": f'Invalid value: "": host must be specified{_FORM}',
    "https:example.com": f'Invalid value: "": host must be specified{_FORM}',
    "https://example.com\n": f'parse "https://example.com\\n": net/url: invalid control character in URL{_FORM}',
    "https://exam\nple.com": f'parse "https://exam\\nple.com": net/url: invalid control character in URL{_FORM}',
    "https://exam ple.com": f'parse "https://exam ple.com": invalid character " " in host name{_FORM}',
    "https://example.com:x": f'parse "https://example.com:x": invalid port ":x" after host{_FORM}',
    "https://example.com/%zz": f'parse "https://example.com/%zz": invalid URL escape "%zz"{_FORM}',
    "https://me:secret@example.com": 'Invalid value: "me:secret": user information is not permitted in the URL',
    "https://example.com?a=b": 'Invalid value: "a=b": query parameters are not permitted in the URL',
    "https://example.com#part": 'Invalid value: "part": fragments are not permitted in the URL',
}
GOOD_URLS = ("https://example.com", "https://example.com:8443/base/", "https://[::1]:9443", "https://127.0.0.1:9443//")


def _both(registration: Registration) -> list[JSONObject]:
    return [registration.mutating(families()), registration.validating(families())]


def test_each_family_has_one_webhook_of_its_name_in_each_configuration() -> None:
    mutating, validating = _both(Registration(_SERVICE, _BUNDLE))
    assert [webhook["name"] for webhook in mutating["webhooks"]] == [family.mutating_webhook() for family in families()]
    names = [webhook["name"] for webhook in validating["webhooks"]]
    deletions = [family.deletion_webhook() for family in families() if family.influences]
    assert names == [family.validating_webhook() for family in families()] + deletions
    assert [mutating["kind"], validating["kind"]] == ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]


def test_webhook_is_narrow_short_and_without_side_effects() -> None:
    for configuration in _both(Registration(_SERVICE, _BUNDLE)):
        assert configuration["apiVersion"] == "admissionregistration.k8s.io/v1"
        for webhook in configuration["webhooks"]:
            assert webhook["sideEffects"] == "None"
            assert webhook["timeoutSeconds"] == 3
            assert webhook["matchPolicy"] == "Equivalent"
            assert webhook["admissionReviewVersions"] == ["v1"]
            (expression,) = webhook["namespaceSelector"]["matchExpressions"]
            assert expression["values"] == ["kube-system", "weighbridge-system"]
            assert expression["operator"] == "NotIn"
            assert all("*" not in rule[key] for rule in webhook["rules"] for key in ("apiGroups", "apiVersions", "resources"))


def test_mutation_may_be_passed_by_in_an_outage_and_validation_may_not() -> None:
    mutating, validating = _both(Registration(_SERVICE, _BUNDLE))
    assert {webhook["failurePolicy"] for webhook in mutating["webhooks"]} == {"Ignore"}
    assert {webhook["failurePolicy"] for webhook in validating["webhooks"] if not _is_of_deletions(webhook)} == {"Fail"}
    assert {webhook["reinvocationPolicy"] for webhook in mutating["webhooks"]} == {"IfNeeded"}
    assert not any("reinvocationPolicy" in webhook for webhook in validating["webhooks"])
    lenient = Registration(_SERVICE, _BUNDLE).validating(families(), FailurePolicy.IGNORE)
    assert {webhook["failurePolicy"] for webhook in lenient["webhooks"]} == {"Ignore"}


def _is_of_deletions(webhook: JSONObject) -> bool:
    return all(rule["operations"] == ["DELETE"] for rule in webhook["rules"])


def test_only_deletions_of_what_others_need_are_asked_about_and_an_outage_holds_none_back() -> None:
    found = [webhook for webhook in Registration(_SERVICE, _BUNDLE).validating(families())["webhooks"] if _is_of_deletions(webhook)]
    for webhook, family in zip(found, [family for family in families() if family.influences], strict=True):
        assert webhook["failurePolicy"] == "Ignore"
        plurals = {kind.plural for kind in family.kinds if kind.gvk.kind in family.influences}
        assert {name for rule in webhook["rules"] for name in rule["resources"]} == plurals
        (condition,) = webhook["matchConditions"]
        assert "namespace-controller" in condition["expression"]
        assert "object." not in condition["expression"], "a deletion has no object"


def test_rules_name_the_kinds_by_group_version_and_scope() -> None:
    kinds = (
        Kind(GroupVersionKind("a.io", "v1", "Zeta"), "zetas"),
        Kind(GroupVersionKind("a.io", "v1", "Alpha"), "alphas"),
        Kind(GroupVersionKind("a.io", "v1", "Wide"), "wides", namespaced=False),
        Kind(GroupVersionKind("a.io", "v2", "Alpha"), "alphas"),
    )
    (webhook,) = Registration(_SERVICE).validating([Family("a", "A", kinds, "a")])["webhooks"]
    found = [(rule["apiGroups"], rule["apiVersions"], rule["resources"], rule["scope"]) for rule in webhook["rules"]]
    assert found == [
        (["a.io"], ["v1"], ["alphas", "zetas"], "Namespaced"),
        (["a.io"], ["v1"], ["wides"], "Cluster"),
        (["a.io"], ["v2"], ["alphas"], "Namespaced"),
    ]
    assert all(rule["operations"] == ["CREATE", "UPDATE"] for rule in webhook["rules"])


def test_service_is_called_with_the_bundle_on_the_path_of_the_phase() -> None:
    mutating = Registration(ServiceEndpoint("hook", "system", 8443), _BUNDLE).mutating(families())
    service = {"name": "hook", "namespace": "system", "port": 8443, "path": "/mutate"}
    expected = {"service": service, "caBundle": base64.b64encode(_BUNDLE).decode()}
    assert all(webhook["clientConfig"] == expected for webhook in mutating["webhooks"])


@pytest.mark.parametrize("url", ["https://127.0.0.1:9443", "https://127.0.0.1:9443/"])
def test_webhook_outside_of_the_cluster_is_called_by_url(url: str) -> None:
    validating = Registration(URLEndpoint(url)).validating(families())
    assert all(webhook["clientConfig"] == {"url": "https://127.0.0.1:9443/validate"} for webhook in validating["webhooks"])


@pytest.mark.parametrize("url", GOOD_URLS)
def test_url_that_the_api_server_takes_is_none(url: str) -> None:
    assert URLEndpoint(url).client_config("/validate")["url"].startswith(url.rstrip("/"))


@pytest.mark.parametrize(("url", "said"), BAD_URLS.items())
def test_url_that_the_api_server_refuses_is_an_error_in_its_words(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"url: .*{re.escape(said)}"):
        Registration(URLEndpoint(url)).mutating(families())


@pytest.mark.parametrize("url", ["https://:443", "https://example.com?", "https://example.com#"])
def test_url_that_leads_nowhere_once_the_path_is_added_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match=re.escape("url: Invalid value: ")):
        Registration(URLEndpoint(url)).mutating(families())


@pytest.mark.parametrize(
    ("endpoint", "said"),
    [
        (ServiceEndpoint("", "system"), 'service: Invalid value: "": a lowercase RFC 1123 label must consist of'),
        (ServiceEndpoint("a.b", "system"), 'service: Invalid value: "a.b": must not contain dots'),
        (ServiceEndpoint("a\nb", "system"), 'service: Invalid value: "a\\nb": a lowercase RFC 1123 label must consist of'),
        (ServiceEndpoint("a" * 64, "system"), f'service: Invalid value: "{"a" * 64}": must be no more than 63 characters'),
        (ServiceEndpoint("hook", "Team_A"), 'namespace: Invalid value: "Team_A": a lowercase RFC 1123 label must consist of'),
        (ServiceEndpoint("hook", "system", 0), "service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive"),
    ],
)
def test_service_that_cannot_be_is_an_error(endpoint: ServiceEndpoint, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        Registration(endpoint).mutating(families())


def test_no_namespace_need_be_excluded() -> None:
    (webhook, *_) = Registration(_SERVICE, excluded_namespaces=()).mutating(families())["webhooks"]
    assert "namespaceSelector" not in webhook


def test_registered_version_and_paths_are_those_that_are_served(service: Service) -> None:
    assert [f"admission.k8s.io/{version}" for version in REVIEW_VERSIONS] == [review.API_VERSION]
    assert {getattr(route, "path", "") for route in create_app(service).routes} == set(PATHS.values())
    assert set(PATHS) == {Phase.MUTATE, Phase.VALIDATE}
