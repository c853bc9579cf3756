"""A filled-in value stays in whichever way its object is written, on a real kube-apiserver with kubectl."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import pytest

from tests.doors.cases import Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import paths_of, url_of
from tests.e2e.process import TurningProcess
from tests.e2e.test_applied_twice import FILLED, first_of_each, kind
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, name_of, namespace_of
from weighbridge.policies.verdict.engine import Phase, decide

pytestmark = pytest.mark.control_plane

#: One of each kind; the templates of AIM are those whose filled in field never changes again.
CASES: Final = first_of_each(FILLED, kind, 1)
_MOVE: Final = ("apply --server-side --force-conflicts",) * 3
WAYS: Final = {
    "created": ("create", "replace", "apply", *_MOVE),
    "applied": ("apply", "replace", "replace", *_MOVE),
    "applied and moved": ("apply", "edit", *_MOVE, "replace", *_MOVE),
    "applied on the server": (
        "apply --server-side",
        "apply --server-side --force-conflicts --field-manager=other",
        "edit",
        *_MOVE,
        "apply",
        "replace",
    ),
}


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts of each case."""
    for namespace in {namespace_of(case.object) or "default" for case in CASES}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


def fills(case: Case) -> dict[Path, JSONValue]:
    """The values that are filled in for a case."""
    others = "CRD", "OME", "llmaz's"
    entries = (entry for entry in case.decision.provenance if not entry.source.startswith(others) and entry.value is not None)
    return {entry.path: entry.value for entry in entries if entry.path[0] == "spec"}


def lost(case: Case, stored: JSONValue) -> dict[Path, JSONValue]:
    """The filled-in values that are missing, each with the present value."""
    found = {}
    for path, value in fills(case).items():
        holder = lookup(stored, path[:-1])
        if (value not in holder) if isinstance(holder, list) else lookup(stored, path) != value:
            found[path] = lookup(stored, path)
    return found


def write(cluster: Cluster, how: str, manifest: JSONObject) -> None:
    """Write an object with kubectl; an edit changes another field."""
    if how == "edit":
        named = ("-n", namespace_of(manifest) or "default", f"{url_of(manifest).split('/')[-2]}.{manifest['apiVersion'].split('/')[0]}")
        cluster.plane.kubectl("label", *named, name_of(manifest), "edited=yes", "--overwrite", check=True)
        return
    done = cluster.plane.kubectl(*how.split(), "--validate=strict", "-f", "-", input=json.dumps(manifest))
    assert done.returncode == 0, (how, done.stderr)
    assert "failed to" not in done.stderr, (how, done.stderr)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_was_filled_in_is_there_whichever_way_the_object_is_written(
    cluster: Cluster, webhook: TurningProcess, case: Case, way: str
) -> None:
    webhook.turn(*paths_of(case))
    url = url_of(case.object)
    # In a creation the CRD's default can't be distinguished from a written value.
    defaults = decide(case.request(), case.facts(), case.configuration(), Phase.APISERVER).object
    left = {path: lookup(defaults, path) for path in fills(case)} if way == "created" else {}
    try:
        for how in WAYS[way]:
            write(cluster, how, case.object)
            found = lost(case, cluster.connections.send("GET", url).body)
            assert (how, found) == (how, {path: left.get(path) for path in found})
            assert None not in found.values()
            left = found
    finally:
        cluster.connections.send("DELETE", url)
