"""With mode deny an update is refused even while an object is being deleted, and nothing blocks the deletion."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from tests.e2e.cluster import Cluster
from tests.e2e.comparison import url_of
from tests.e2e.versions import OF_NEWEST
from tests.families.examples import example_cluster, example_request, examples
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.texts.yaml_text import yaml_text

pytestmark = pytest.mark.control_plane


def _of_rules(family: Family) -> Iterator[tuple[Request, list[JSONObject]]]:
    """Updates from a rule's good example to its bad one, in the cluster of both."""
    for rule in family.rules():
        good, bad = (example_request(family, rule, text) for text in (examples(rule).good, examples(rule).bad))
        if not examples(rule).config and good.name == bad.name and good.old_object is bad.old_object is None:
            yield replace(bad, operation=Operation.UPDATE, old_object=good.object), example_cluster(rule)


def _of_cases(family: Family) -> Iterator[tuple[Request, list[JSONObject]]]:
    """Updates of the cases."""
    for case in OF_NEWEST:
        if family.kind(case.request().gvk) is not None and case.old is not None and case.config is None:
            yield case.request(), case.cluster or []


def _refused_update(family: Family) -> tuple[Request, list[JSONObject]]:
    """An update that a rule refuses, of an accepted object, with its cluster."""
    for update, objects in chain(_of_rules(family), _of_cases(family)):
        facts = from_objects(objects, bundled_definitions())
        creation = replace(update, operation=Operation.CREATE, object=update.old_object, old_object=None)
        if decide(update, facts, DEFAULT).code == 403 and decide(creation, facts, DEFAULT).allowed:
            return update, objects
    raise AssertionError(f"no rule of {family.title} refuses an update")


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_a_spec_is_judged_until_the_object_is_gone(cluster: Cluster, family: Family, tmp_path: Path) -> None:
    update, objects = _refused_update(family)
    known = tmp_path / "cluster.yaml"
    known.write_text(yaml_text({"apiVersion": "v1", "kind": "List", "items": objects}))
    cluster.namespace(update.namespace or "default")
    with cluster.turning() as webhook:
        webhook.turn(known)
        _judged_until_it_is_gone(cluster, family, update.old_object, update.object)


def _judged_until_it_is_gone(cluster: Cluster, family: Family, good: JSONValue, bad: JSONValue) -> None:
    url = url_of(good)
    held = {**good, "metadata": {**good["metadata"], "finalizers": ["example.com/hold"]}}
    send = cluster.connections.send_value
    assert send("POST", url.rpartition("/")[0], held).code == 201
    deleted = send("DELETE", url, {"propagationPolicy": "Background"}).body
    assert isinstance(deleted, dict)
    assert "deletionTimestamp" in deleted["metadata"]
    put = copy.deepcopy(deleted) | {"spec": bad["spec"]}
    refused = send("PUT", url, put)
    assert refused.code == 403, refused.body
    assert f'webhook "{family.validating_webhook()}" denied the request' in str(refused.body)
    found = cluster.connections.send("GET", url).body
    assert isinstance(found, dict)
    assert found["spec"] == deleted["spec"]
    found["metadata"]["labels"] = {"team": "research"}
    found["metadata"]["finalizers"] = []
    assert send("PUT", url, found).code == 200
    assert cluster.connections.send("GET", url).code == 404
