"""Engine, command line, webhook and the real server agree: on every case, and on upstream's own manifests of the two kinds."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from policies.config import DEFAULT
from policies.engine import decide
from policies.facts import from_objects
from policies.findings import Decision
from policies.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of
from policies.request import Request
from tests.doors.cases import CASES, Case
from tests.e2e.cluster import Cluster, stored, without_servers_own
from tests.e2e.process import TurningProcess
from webhook.inputs import bundled_definitions

pytestmark = pytest.mark.control_plane


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook that is turned to the facts of each case, and the namespaces that cases are in."""
    for namespace in ("models", "serving", "default"):
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


def _paths(case: Case) -> list[Path | None]:
    """The cluster and the configuration of a case, where it has them."""
    return [path if path.exists() else None for path in (case.folder / "cluster.yaml", case.folder / "config.yaml")]


def _said(stderr: str) -> tuple[list[str], str]:
    """Warnings and error of kubectl, without its own words around the server's."""
    warnings = [line.removeprefix("Warning: ") for line in stderr.splitlines() if line.startswith("Warning: ")]
    error = "\n".join(line for line in stderr.splitlines() if not line.startswith("Warning: ")).strip()
    return warnings, re.sub(r'^Error from server(?: \(\w+\))?: (?:error when [a-z]+ "[^"]*": )?', "", error)


def _as_kubectl(decision: Decision, kind: str, group: str) -> str:
    """The message as kubectl prints it: of an Invalid answer it leaves the group out and adds a `The`."""
    if decision.code == 422:
        return "The " + decision.message.replace(f'{kind}.{group} "', f'{kind} "', 1).replace("is invalid: [", "is invalid: ", 1)
    return decision.message


def _compare(done: Any, decision: Decision, gvk: GroupVersionKind) -> None:
    warnings, error = _said(done.stderr)
    assert (done.returncode == 0) is decision.allowed, done.stderr
    if decision.allowed:
        assert stored(done.stdout) == without_servers_own(decision.object)
        assert sorted(warnings) == sorted(decision.warnings)
    elif decision.code == 422:
        # kubectl prints the causes of an Invalid answer in lines of its own, so each is looked for.
        for cause in decision.causes:
            assert f"{cause['field']}: {cause['message']}" in " ".join(error.split()) or cause["message"] in error
    else:
        assert error == _as_kubectl(decision, gvk.kind, gvk.group)


@pytest.mark.parametrize("case", [case for case in CASES if case.old is None], ids=lambda case: case.id)
def test_server_says_of_a_created_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    webhook.turn(*_paths(case))
    request = case.request()
    decision = decide(request, case.facts(), case.configuration())
    validate = f"--validate={case.field_validation.lower()}"
    done = cluster.plane.kubectl("create", "-f", "-", "-o", "json", validate, "--dry-run=server", input=json.dumps(case.object))
    _compare(done, decision, request.gvk)


@pytest.mark.parametrize("case", [case for case in CASES if case.old is not None], ids=lambda case: case.id)
def test_server_says_of_an_updated_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    request = case.request()
    webhook.turn(lets_all_in=True)
    cluster.plane.kubectl("delete", "-f", "-", "--ignore-not-found", input=json.dumps(case.old), check=True)
    live = json.loads(cluster.plane.kubectl("create", "-f", "-", "-o", "json", input=json.dumps(case.old), check=True).stdout)
    webhook.turn(*_paths(case))
    update = copy.deepcopy(case.object)
    update["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"]
    done = cluster.plane.kubectl("replace", "-f", "-", "-o", "json", "--validate=strict", "--dry-run=server", input=json.dumps(update))
    decision = decide(request, case.facts(), case.configuration())
    _compare(done, decision, request.gvk)


def _upstream(shared: Path) -> list[JSONObject]:
    found = []
    for path in sorted((shared / "corpus").glob("*/samples/**/*.yaml")):
        try:
            documents = list(yaml.safe_load_all(path.read_text()))
        except yaml.YAMLError:
            continue  # Helm templates and the like
        found += [
            obj
            for obj in documents
            if isinstance(obj, dict) and (gvk := GroupVersionKind.from_object(obj)) and bundled_definitions().get(gvk) is not None
        ]
    return found


def test_server_says_of_upstreams_own_manifests_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, shared: Path) -> None:
    objects = _upstream(shared)
    assert len(objects) >= 30
    webhook.turn()
    cluster.namespace("upstream")
    facts = from_objects([], bundled_definitions())
    for obj in objects:
        manifest = copy.deepcopy(obj)
        manifest["metadata"]["namespace"] = "upstream"
        gvk = GroupVersionKind.from_object(manifest)
        assert gvk is not None
        request = Request(
            "upstream",
            Operation.CREATE,
            gvk,
            manifest,
            namespace="upstream",
            name=name_of(manifest),
            field_validation=FieldValidation.STRICT,
        )
        _compare(cluster.create(manifest, dry_run=True), decide(request, facts, DEFAULT), gvk)
