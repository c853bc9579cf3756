"""The content of a snapshot of a cluster: the objects, the complete kinds, the kinds that couldn't be read, and the nodes that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from tests.webhook.answering_api import Reply
from tests.webhook.held_api import HeldAPI
from weighbridge.policies.facts.document import SnapshotHeader
from weighbridge.policies.facts.kinds import POLICY_KINDS
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.snapshot import Earlier, take_snapshot
from weighbridge.webhook.texts.errors import InputError

VERSION: JSONObject = {"gitVersion": "v1.36.0"}
NAMESPACES = "/api/v1/namespaces"
SYSTEM: JSONObject = {"items": [{"metadata": {"name": "kube-system", "uid": "one"}}]}


def node(name: str, memory: str = "8Gi", **extra: Any) -> JSONObject:
    """A node as a snapshot keeps it."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": {"memory": memory}}, **extra}


def listed(*objects: JSONObject) -> JSONObject:
    """A list, whose items don't name their kind."""
    return {"items": [{key: value for key, value in obj.items() if key not in {"apiVersion", "kind"}} for obj in objects]}


def taken(
    replies: Mapping[str, Reply], monkeypatch: pytest.MonkeyPatch, *, redact: bool = False, earlier: Earlier | None = None
) -> tuple[JSONObject, SnapshotHeader, HeldAPI]:
    """The snapshot of a cluster with these answers and no others."""
    api = HeldAPI(replies)
    made = api.connected(monkeypatch)
    document, header = asyncio.run(take_snapshot("kubeconfig", "context", redact=redact, earlier=earlier))
    assert made == [("kubeconfig", "context")]
    assert api.is_closed
    return document, header, api


def test_objects_stand_by_kind_namespace_and_name_and_name_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"namespace": namespace, "name": name}}
        for namespace, name in (("a", "x"), ("a", "y"), ("b", "a"))
    ]
    replies = {
        "/version": VERSION,
        "/api/v1/nodes": listed(node("b"), node("a")),
        "/api/v1/persistentvolumeclaims": listed(claims[2], claims[1], claims[0]),
        "/api/v1/limitranges": {"items": None},
    }
    document, header, api = taken(replies, monkeypatch)
    assert document["items"] == [node("a"), node("b"), *claims]
    assert (document["server"], document["notKnown"], header.not_known) == ("v1.36.0", [], {})
    assert datetime.fromisoformat(document["takenAt"]).utcoffset() is not None
    assert "." not in document["takenAt"]
    assert [*header.complete] == sorted(kind.known_as for kind in (*watched_kinds(), *POLICY_KINDS))
    assert (header.redacted, header.former_nodes, header.cluster) == (None, (), "")
    assert api.queries["/api/v1/namespaces/kube-system/configmaps"] == {"fieldSelector": "metadata.name=cluster-autoscaler-status"}
    assert api.queries["/api/v1/configmaps"] == {"labelSelector": "weighbridge.dev/configuration=true"}


def test_a_kind_that_cannot_be_read_is_not_known_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    replies: dict[str, Reply] = {
        "/version": APIError(403, "Forbidden", "no"),
        "/api/v1/nodes": APIError(403, "Forbidden", "node-reader of team-a: no"),
        "/apis/karpenter.sh": {"versions": [{"version": "v2"}]},
        "/apis/karpenter.sh/v2": {"resources": [{"name": "nodepools"}]},
    }
    nodepools = "nodepools.karpenter.sh is served as v2, and only v1, v1beta1 can be read"
    for redact, nodes in ((False, "403 Forbidden: node-reader of team-a: no"), (True, "403 Forbidden")):
        document, header, _ = taken(replies, monkeypatch, redact=redact)
        assert header.not_known == {("", "Node"): nodes, ("karpenter.sh", "NodePool"): nodepools}
        assert not {*header.not_known} & {*header.complete}
        assert document["server"] == ""


def test_sections_of_namespaces_come_last_unless_names_are_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    section = {"configuration.yaml": "mode: audit\n"}
    found = [
        {"metadata": {"namespace": namespace, "name": "c", "uid": "x", "labels": {"l": "m"}}, "data": {**section, "more": "x"}}
        for namespace in ("b", "a")
    ]
    replies = {
        "/version": VERSION,
        "/api/v1/configmaps": {"items": [*found, {"metadata": {"name": "empty"}}]},
        "/api/v1/nodes": listed(node("n")),
    }
    document, header, _ = taken(replies, monkeypatch)
    labels = {"weighbridge.dev/configuration": "true"}
    assert document["items"] == [
        node("n"),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "empty", "labels": labels}, "data": {}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "a", "name": "c", "labels": labels}, "data": section},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "b", "name": "c", "labels": labels}, "data": section},
    ]
    assert header.not_known == {("", "ConfigMap"): "of these only the ones that narrow the configuration are read"}
    document, header, api = taken(replies, monkeypatch, redact=True)
    assert [item["kind"] for item in document["items"]] == ["Node"]
    assert header.not_known == {}
    assert header.redacted is not None
    assert "/api/v1/configmaps" not in api.asked


POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"


def admission(kind: str, name: str, **spec: Any) -> JSONObject:
    """A policy or a binding."""
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def test_policies_come_with_the_parameters_that_their_bindings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = admission("ValidatingAdmissionPolicy", "p", paramKind={"apiVersion": "v1", "kind": "ServiceAccount"})
    secret = admission("ValidatingAdmissionPolicy", "s", paramKind={"apiVersion": "v1", "kind": "Secret"})
    bound = admission("ValidatingAdmissionPolicyBinding", "b", policyName="p", paramRef={"name": "limits"})
    blind = admission("ValidatingAdmissionPolicyBinding", "c", policyName="s", paramRef={"name": "limits"})
    limits: JSONObject = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"namespace": "a", "name": "limits"}}
    group, plurals = POLICIES.rpartition("/v1/")[0], ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
    replies: dict[str, Reply] = {
        "/version": VERSION,
        group: {"versions": [{"version": "v1"}]},
        f"{group}/v1": {"resources": [{"name": plural} for plural in plurals]},
        POLICIES: listed(policy, secret),
        POLICIES.replace("policies", "policybindings"): listed(bound, blind),
        "/api/v1/serviceaccounts": listed(limits),
    }
    document, header, _ = taken(replies, monkeypatch)
    assert document["items"] == [policy, secret, bound, blind, limits]
    assert ("", "ServiceAccount/limits") in header.complete
    assert not {("", "Secret"), ("", "Secret/limits"), ("", "ServiceAccount")} & set(header.complete)


def test_a_redacted_snapshot_has_no_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = admission("ValidatingAdmissionPolicy", "p", validations=[{"expression": "object.spec.token == 'secret'"}])
    document, _, _ = taken({"/version": VERSION, POLICIES: listed(policy)}, monkeypatch, redact=True)
    assert document["items"] == []


def test_a_cluster_that_cannot_be_reached_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    api = HeldAPI({"/version": APIError(0, "", "/version: no route")})
    api.connected(monkeypatch)
    with pytest.raises(InputError) as caught:
        asyncio.run(take_snapshot(None, None))
    assert str(caught.value) == "the cluster can't be reached: /version: no route"
    assert api.is_closed


# --- nodes that are gone ---


def earlier(cluster: str = "one", *former: JSONObject) -> Earlier:
    """An earlier snapshot with two nodes and another object."""
    return SnapshotHeader(cluster=cluster, former_nodes=former), [node("gone", "4Gi"), node("there"), {"kind": "Namespace"}]


def former(
    replies: Mapping[str, Reply], monkeypatch: pytest.MonkeyPatch, before: Earlier | None, *, redact: bool = False
) -> list[JSONObject]:
    """The nodes that the next snapshot remembers."""
    document, header, _ = taken(replies, monkeypatch, redact=redact, earlier=before)
    assert document.get("formerNodes", []) == [*header.former_nodes]
    return [*header.former_nodes]


def test_of_an_earlier_snapshot_of_the_same_cluster_the_nodes_that_are_gone_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    replies: dict[str, Reply] = {"/version": VERSION, NAMESPACES: SYSTEM, "/api/v1/nodes": listed(node("there"))}
    assert former(replies, monkeypatch, earlier()) == [node("gone", "4Gi")]
    assert former(replies, monkeypatch, earlier("one", node("older", "2Gi"))) == [node("older", "2Gi"), node("gone", "4Gi")]
    assert former(replies, monkeypatch, earlier("one", node("there", "2Gi"), node("gone", "2Gi"))) == [node("gone", "4Gi")]
    document, _, api = taken(replies, monkeypatch)
    assert document["cluster"] == "one"
    assert api.queries[NAMESPACES] == {"fieldSelector": "metadata.name=kube-system"}


@pytest.mark.parametrize(
    ("namespaces", "before", "redact"),
    [
        (SYSTEM, None, False),
        (SYSTEM, earlier("another"), False),
        (SYSTEM, earlier(""), False),
        (SYSTEM, earlier("one"), True),
        (SYSTEM, earlier(""), True),
        (APIError(403, "", "no"), earlier(""), False),
        ({"items": []}, earlier(""), False),
    ],
    ids=["no earlier one", "another cluster's", "of an unknown one", "redacted", "both redacted", "forbidden", "no namespace"],
)
def test_nothing_is_remembered_of_a_cluster_that_is_not_known_to_be_the_same(
    monkeypatch: pytest.MonkeyPatch, namespaces: Reply, before: Earlier | None, redact: bool
) -> None:
    assert former({"/version": VERSION, NAMESPACES: namespaces}, monkeypatch, before, redact=redact) == []
