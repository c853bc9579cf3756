"""Applying a manifest again changes nothing, since we never change a field that a manifest names, however it is applied.

There are three ways: `kubectl apply`, which compares with the manifest that it kept; server-side apply; and the comparison by a GitOps
controller, for which every field from Git must be as the server alone would store it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import pytest

from tests.doors.cases import Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import paths_of, sent_by, url_of
from tests.e2e.process import TurningProcess
from tests.e2e.versions import OF_NEWEST
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, namespace_of, walk
from weighbridge.policies.verdict.engine import Phase, decide

pytestmark = pytest.mark.control_plane

#: Cases that the server alone accepts. A case that strict validation refuses can't be applied with server-side apply.
ACCEPTED = [
    case
    for case in OF_NEWEST
    if case.old is None and case.expect["allowed"] and case.field_validation == "Strict" and sent_by(case) is case.object
]
FILLED = [case for case in ACCEPTED if case.expect.get("patch")]
MANAGER = "gitops"


def first_of_each(cases: Iterable[Case], key: Callable[[Case], Hashable], count: int) -> list[Case]:
    """The first `count` cases of each key."""
    found: defaultdict[Hashable, list[Case]] = defaultdict(list)
    for case in cases:
        found[key(case)].append(case)
    return [case for alike in found.values() for case in alike[:count]]


def kind(case: Case) -> tuple[str, str]:
    """The group with its version, and the kind."""
    return case.object["apiVersion"], case.object["kind"]


def filled_fields(case: Case) -> tuple[Hashable, ...]:
    """The kind and the fields that are filled in, whichever item of a list they are in."""
    return kind(case), frozenset(re.sub(r"/[0-9]+", "/0", operation["path"]) for operation in case.expect["patch"])


#: Nothing is filled into the others: ten of each kind are enough.
APPLIED = [*FILLED, *first_of_each((case for case in ACCEPTED if not case.expect.get("patch")), kind, 10)]
#: kubectl takes a process for each apply: one case for each set of fields is enough.
APPLIED_WITH_KUBECTL = first_of_each(FILLED, filled_fields, 1)


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts of each case, and the namespaces of the cases."""
    for namespace in {namespace_of(case.object) or "default" for case in APPLIED}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


def call(cluster: Cluster, method: str, url: str, body: JSONValue = None) -> JSONObject:
    """The server's answer."""
    reply = cluster.connections.send_value(method, url, body) if body is not None else cluster.connections.send(method, url)
    assert reply.code < 300, reply.body
    found: JSONObject = reply.body
    return found


def without_times(obj: JSONObject) -> JSONObject:
    """The object without the times in its managedFields, which every apply changes."""
    entries = [{key: value for key, value in entry.items() if key != "time"} for entry in obj["metadata"].get("managedFields", ())]
    return {**obj, "metadata": {**obj["metadata"], "managedFields": entries}}


def without_version(obj: JSONObject) -> JSONObject:
    """The object without its times and its version."""
    found = without_times(obj)
    return {**found, "metadata": {key: value for key, value in found["metadata"].items() if key != "resourceVersion"}}


def drift(manifest: JSONObject, alone: Any, live: Any) -> list[Path]:
    """The fields of a manifest whose stored values differ from those that the server alone would have stored."""
    found = []
    for path, value in walk(manifest):
        if isinstance(value, dict) and (value or isinstance(_at(live, path), dict)):
            # An empty map only says that the field exists: values that are filled in below it belong to no one else.
            continue
        if any(isinstance(step, int) for step in path):
            continue  # a list is compared as a whole
        if _at(alone, path) != _at(live, path):
            found.append(path)
    return found


def _at(obj: Any, path: Path) -> Any:
    for step in path:
        obj = obj.get(step) if isinstance(obj, dict) else None
    return obj


def applied_twice(cluster: Cluster, manifest: JSONObject) -> tuple[str, JSONObject]:
    """kubectl's output for the second apply, and the stored object."""
    for _ in range(2):
        done = cluster.plane.kubectl("apply", "--validate=strict", "-f", "-", input=json.dumps(manifest), check=True)
    return done.stdout.split()[-1], call(cluster, "GET", url_of(manifest))


@pytest.mark.parametrize("case", APPLIED_WITH_KUBECTL, ids=lambda case: case.id)
def test_a_second_apply_with_kubectl_changes_nothing(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    alone = decide(case.request(), case.facts(), case.configuration(), Phase.APISERVER).object
    manifest, url = case.object, url_of(case.object)
    webhook.turn(*paths_of(case))
    said, live = applied_twice(cluster, manifest)
    call(cluster, "DELETE", url)
    assert drift(manifest, alone, live) == []
    if said != "unchanged":
        # kubectl treats the CRD's defaults in items of a list as a change.
        webhook.turn(lets_all_in=True)
        assert applied_twice(cluster, manifest)[0] == said
        call(cluster, "DELETE", url)


@pytest.mark.parametrize("case", APPLIED, ids=lambda case: case.id)
def test_a_second_apply_changes_nothing(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    alone = decide(case.request(), case.facts(), case.configuration(), Phase.APISERVER).object
    manifest, url = case.object, url_of(case.object)
    webhook.turn(*paths_of(case))
    first = call(cluster, "PATCH", f"{url}?fieldManager={MANAGER}&fieldValidation=Strict", manifest)
    assert drift(manifest, alone, first) == []
    second = call(cluster, "PATCH", f"{url}?fieldManager={MANAGER}&fieldValidation=Strict", manifest)
    if without_times(second) != without_times(first):
        # The API server writes some new objects, such as pools of the old group, once more by itself.
        assert without_version(second) == without_version(first)
        first, second = second, call(cluster, "PATCH", f"{url}?fieldManager={MANAGER}&fieldValidation=Strict", manifest)
    assert without_times(second) == without_times(first)
    call(cluster, "DELETE", url)


def test_a_drift_would_be_seen() -> None:
    manifest = {"spec": {"image": "a", "list": [1], "map": {}}}
    assert drift(manifest, manifest, {"spec": {"image": "a", "list": [1], "map": {}, "more": 1}}) == []
    assert drift(manifest, manifest, {"spec": {"image": "b", "list": [1, 2]}}) == [("spec", "image"), ("spec", "list"), ("spec", "map")]


def test_each_way_is_taken_with_cases_in_which_something_is_filled_in() -> None:
    assert len(FILLED) >= 40
    assert len(APPLIED_WITH_KUBECTL) >= 20
    assert {kind(case) for case in APPLIED} == {kind(case) for case in ACCEPTED}
