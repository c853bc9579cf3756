"""A filled-in value follows its cause, stays if no other value would be accepted, and never replaces an author's value."""

from __future__ import annotations

import copy
from typing import Any

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, lookup
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

GROUP = "aim.eai.amd.com"
CACHE: JSONObject = {
    "apiVersion": f"{GROUP}/v1alpha1",
    "kind": "AIMTemplateCache",
    "metadata": {"name": "cache", "namespace": "serving"},
    "spec": {"templateName": "fast"},
}


def facts_with(*templates: tuple[str, str]) -> Facts:
    """A cluster with templates of these kinds and names, and no others."""
    objects = [
        {
            "apiVersion": f"{GROUP}/v1alpha1",
            "kind": kind,
            "metadata": {"name": name, "uid": name} | ({} if "Cluster" in kind else {"namespace": "serving"}),
            "spec": {"modelName": "llama"},
        }
        for kind, name in templates
    ]
    facts = from_objects(objects, bundled_definitions())
    facts.objects.complete(besides=[(GROUP, "AIMServiceTemplate"), (GROUP, "AIMClusterServiceTemplate")])
    return facts


def stored(obj: JSONObject, facts: Facts, old: JSONObject | None = None) -> Any:
    """The object as the server stores it."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("u", operation, gvk, copy.deepcopy(obj), old, namespace="serving", name=obj["metadata"]["name"])
    found: Any = decide(request, facts, DEFAULT).object
    return {**found, "metadata": {"uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z", **found["metadata"]}}


def scope(cache: Any) -> Any:
    return lookup(cache, ("spec", "templateScope"))


def test_a_scope_follows_the_template_to_the_cluster() -> None:
    first = stored(CACHE, facts_with(("AIMServiceTemplate", "fast")))
    moved = stored(first, facts_with(("AIMClusterServiceTemplate", "fast")), first)
    assert (scope(first), scope(moved)) == ("Namespace", "Cluster")


def test_a_scope_stays_when_the_template_is_gone() -> None:
    first = stored(CACHE, facts_with(("AIMClusterServiceTemplate", "fast")))
    assert scope(stored(first, facts_with(), first)) == "Cluster"


def test_the_namespace_comes_first() -> None:
    assert scope(stored(CACHE, facts_with(("AIMClusterServiceTemplate", "fast"), ("AIMServiceTemplate", "fast")))) == "Namespace"


def test_no_scope_is_filled_in_where_the_namespace_is_not_known() -> None:
    assert scope(stored(CACHE, from_objects([], bundled_definitions()))) is None


def test_an_author_s_scope_stays() -> None:
    written = {**CACHE, "spec": {**CACHE["spec"], "templateScope": "Unknown"}}
    assert scope(stored(written, facts_with(("AIMServiceTemplate", "fast")))) == "Unknown"
