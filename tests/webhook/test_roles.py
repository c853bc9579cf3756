"""All rights of the webhook in a cluster, and the labels of its registration."""

from __future__ import annotations

from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.permissions import cluster_roles, namespace_role, registering_role, reporting_role
from weighbridge.webhook.cluster.registration import Registration, URLEndpoint

REGISTRATION = "admissionregistration.k8s.io"
CONFIGURATIONS = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"]
LABELS = {"app.kubernetes.io/name": "weighbridge"}


def role(name: str, rules: list[JSONObject], kind: str = "ClusterRole") -> JSONObject:
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": name, "labels": LABELS}, "rules": rules}


def reading(group: str, *plurals: str) -> JSONObject:
    return {"apiGroups": [group], "resources": list(plurals), "verbs": ["list", "watch"]}


def test_what_is_watched_may_be_listed_and_watched_and_nothing_else() -> None:
    watching, narrowing, registered, following = cluster_roles()
    plain = [kind for kind in watched_kinds() if not kind.name]
    groups = sorted({kind.gvk.group for kind in plain})
    rules = [reading(group, *sorted({kind.plural for kind in plain if kind.gvk.group == group})) for group in groups]
    named = [{**reading("", "configmaps"), "resourceNames": [kind.name]} for kind in watched_kinds() if kind.name]
    assert named[0]["resourceNames"] == ["cluster-autoscaler-status"]
    assert watching == role("weighbridge", [*rules, *named])
    assert {"limitranges", "namespaces", "nodes", "services"} <= {*rules[0]["resources"]}
    assert not {"secrets", "configmaps", "pods"} & {*rules[0]["resources"]}
    assert following == role("weighbridge-pods", [reading("", "pods")])
    assert narrowing == role("weighbridge-namespace-configuration", [reading("", "configmaps")])
    named_registration = {"apiGroups": [REGISTRATION], "resources": CONFIGURATIONS, "resourceNames": ["weighbridge"], "verbs": ["list"]}
    assert {**registered, "rules": [{**rule, "resources": sorted(rule["resources"])} for rule in registered["rules"]]} == role(
        "weighbridge-registration", [named_registration]
    )


def test_the_bundle_may_be_written_into_what_is_there() -> None:
    rule = {"apiGroups": [REGISTRATION], "resources": CONFIGURATIONS, "verbs": ["get", "patch"], "resourceNames": ["weighbridge"]}
    assert registering_role() == role("weighbridge-ca-bundle", [rule])


def test_certificates_may_be_kept_in_one_secret() -> None:
    secrets = {"apiGroups": [""], "resources": ["secrets"]}
    rules = [{**secrets, "verbs": ["get", "update"], "resourceNames": ["tls"]}, {**secrets, "verbs": ["create"]}]
    assert namespace_role("tls") == role("weighbridge-certificates", rules, "Role")


def test_a_registration_is_named_and_labelled() -> None:
    registration = Registration(URLEndpoint("https://example.com"), name="ours", excluded_namespaces=())
    for kind, made in (
        ("MutatingWebhookConfiguration", registration.mutating(families())),
        ("ValidatingWebhookConfiguration", registration.validating(families())),
    ):
        assert {key: value for key, value in made.items() if key != "webhooks"} == {
            "apiVersion": f"{REGISTRATION}/v1",
            "kind": kind,
            "metadata": {"name": "ours", "labels": LABELS},
        }
        assert not [
            webhook["name"] for webhook in made["webhooks"] if "namespaceSelector" in webhook or "caBundle" in webhook["clientConfig"]
        ]


def test_an_audit_may_keep_reports_and_nothing_else() -> None:
    verbs = ["list", "create", "patch", "delete"]
    groups = {"openreports.io": ["clusterreports", "reports"], "wgpolicyk8s.io": ["clusterpolicyreports", "policyreports"]}
    rules = [{"apiGroups": [group], "resources": plurals, "verbs": verbs} for group, plurals in groups.items()]
    assert reporting_role() == role("weighbridge-reports", rules)
