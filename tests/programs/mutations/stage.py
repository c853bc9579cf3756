"""Stores the set-ups on a real kube-apiserver, and waits until their policies are in force."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

from tests.programs.differential.connection import Connections, Reply
from tests.programs.mutations.draw import GROUP, Setup
from weighbridge.policies.apiserver.built_in import is_cluster_scoped, plural_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.server_release import release

CRD: Final = yaml.safe_load(Path(__file__).with_name("widgets.yaml").read_text(encoding="utf-8"))
_POLICIES: Final = "/apis/admissionregistration.k8s.io"
COLLECTION: Final = f"/apis/{GROUP}/{{}}/namespaces/default/widgets"


def collection_of(obj: JSONObject) -> str:
    """The path of the collection of this object's kind: in namespace default, or in none."""
    api, plural = obj["apiVersion"], plural_of(obj["kind"])
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return f"/{'apis' if '/' in api else 'api'}/{api}/{plural if is_cluster_scoped(gvk) else f'namespaces/default/{plural}'}"


_WAIT_SECONDS: Final = 60.0


def install(connections: Connections) -> None:
    """Create the CRD and wait until it is served in both versions."""
    connections.send_value("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
    deadline = time.monotonic() + _WAIT_SECONDS
    for version in ("v1", "v1beta1"):
        while connections.send("GET", COLLECTION.format(version)).code != 200:
            assert time.monotonic() < deadline, "the CRD isn't served"
            time.sleep(0.1)


#: The first release that serves mutating policies in v1; earlier ones serve them in v1beta1, if they are configured so.
FIRST_STABLE: Final = (1, 36)
#: The flags with which an earlier server serves them.
EARLY_FLAGS: Final = ("--runtime-config=admissionregistration.k8s.io/v1beta1=true", "--feature-gates=MutatingAdmissionPolicy=true")


def send_policy(connections: Connections, obj: JSONObject, options: str = "") -> Reply:
    """Create a policy or a binding, in the version that the server has."""
    version = "v1" if release().version >= FIRST_STABLE else "v1beta1"
    path = f"{_POLICIES}/{version}/{plural_of(obj['kind'])}{options}"
    return connections.send_value("POST", path, {**obj, "apiVersion": f"admissionregistration.k8s.io/{version}"})


def drop_policy(connections: Connections, obj: JSONObject) -> None:
    version = "v1" if release().version >= FIRST_STABLE else "v1beta1"
    connections.send("DELETE", f"{_POLICIES}/{version}/{plural_of(obj['kind'])}/{obj['metadata']['name']}")


def store(connections: Connections, setup: Setup) -> Iterator[tuple[JSONObject, str]]:
    """Store the objects of a set-up; yields the policies that the server refuses, with its messages, and drops them with their bindings."""
    for policy in list(setup.policies):
        reply = send_policy(connections, policy)
        if reply.code != 201:
            yield policy, reply.body["message"] if isinstance(reply.body, dict) else str(reply.body)
            setup.policies.remove(policy)
            setup.bindings = [one for one in setup.bindings if one["spec"]["policyName"] != policy["metadata"]["name"]]
    for other in setup.others:
        connections.send_value("POST", "/api/v1/namespaces/default/configmaps", other)
    for binding in setup.bindings:
        reply = send_policy(connections, binding)
        assert reply.code == 201, reply.body
    for obj in setup.validating:
        reply = connections.send_value("POST", collection_of(obj), obj)
        assert reply.code == 201, reply.body
    for sent in list(setup.requests):
        if sent.stored is not None:
            reply = connections.send_value("POST", collection_of(sent.stored), sent.stored)
            if reply.code != 201:
                setup.requests.remove(sent)
            else:
                sent.stored = reply.body
                if sent.is_versioned:
                    sent.body["metadata"]["resourceVersion"] = reply.body["metadata"]["resourceVersion"]


def remove(connections: Connections, setup: Setup) -> None:
    for obj in (*setup.bindings, *setup.policies):
        drop_policy(connections, obj)
    for obj in setup.validating:
        connections.send("DELETE", f"{collection_of(obj)}/{obj['metadata']['name']}")
    for other in setup.others:
        connections.send("DELETE", f"/api/v1/namespaces/default/configmaps/{other['metadata']['name']}")
    for sent in setup.requests:
        if sent.stored is not None:
            path = f"{collection_of(sent.stored)}/{sent.stored['metadata']['name']}"
            if sent.stored["metadata"].get("finalizers"):
                connections.send_value("PUT", path, {**sent.stored, "metadata": {**sent.stored["metadata"], "finalizers": []}})
            connections.send("DELETE", path)


def wait(connections: Connections) -> None:
    """Wait until the policies stored so far are in force: a policy that is stored after them is."""
    name = f"probe-{time.time_ns()}"
    rule = {"apiGroups": [GROUP], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["widgets"]}
    expression = 'Object{spec: Object.spec{title: "in force"}}'
    spec: JSONObject = {
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        "matchConstraints": {"resourceRules": [rule], "objectSelector": {"matchLabels": {"probe": name}}},
        "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}],
    }
    policy = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}
    binding = {**policy, "kind": "MutatingAdmissionPolicyBinding", "spec": {"policyName": name}}
    for obj in (policy, binding):
        reply = send_policy(connections, obj)
        assert reply.code == 201, reply.body
    body = {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": name, "labels": {"probe": name}}, "spec": {}}
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        reply = connections.send_value("POST", f"{COLLECTION.format('v1')}?dryRun=All", body)
        if isinstance(reply.body, dict) and reply.body.get("spec", {}).get("title") == "in force":
            break
        assert time.monotonic() < deadline, f"the policies aren't in force: {reply.body}"
        time.sleep(0.2)
    for obj in (binding, policy):
        drop_policy(connections, obj)
