"""Engine, command line, webhook and the real server agree: on every case, and on upstream's own manifests of the two kinds."""

from __future__ import annotations

import copy
import json
import re
from itertools import groupby
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
from tests.e2e.process import options_for
from webhook.inputs import bundled_definitions

pytestmark = pytest.mark.control_plane


def _ordered(cases: list[Case]) -> list[list[Case]]:
    """The cases in groups that share facts and configuration, so that the webhook is restarted once a group."""

    def key(case: Case) -> str:
        return json.dumps([case.cluster, case.config])

    return [list(group) for _, group in groupby(sorted(cases, key=key), key)]


def _options(case: Case) -> list[str]:
    paths = [case.folder / name for name in ("cluster.yaml", "config.yaml")]
    cluster, config = (path if path.exists() else None for path in paths)
    return list(options_for(cluster, config))


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


@pytest.mark.parametrize("group", _ordered([case for case in CASES if case.old is None]), ids=lambda group: group[0].id)
def test_server_says_of_each_created_case_what_the_engine_says(cluster: Cluster, group: list[Case]) -> None:
    cluster.serve(_options(group[0]))
    for namespace in ("models", "serving"):
        cluster.namespace(namespace)
    for case in group:
        request = case.request()
        decision = decide(request, case.facts(), case.configuration())
        validate = f"--validate={case.field_validation.lower()}"
        done = cluster.plane.kubectl("create", "-f", "-", "-o", "json", validate, "--dry-run=server", input=json.dumps(case.object))
        _compare(done, decision, request.gvk)


@pytest.mark.parametrize("group", _ordered([case for case in CASES if case.old is not None]), ids=lambda group: group[0].id)
def test_server_says_of_each_updated_case_what_the_engine_says(cluster: Cluster, group: list[Case]) -> None:
    for namespace in ("models", "serving"):
        cluster.namespace(namespace)
    for case in group:
        request = case.request()
        cluster.unregister()
        cluster.plane.kubectl("delete", "-f", "-", "--ignore-not-found", input=json.dumps(case.old), check=True)
        cluster.plane.kubectl("create", "-f", "-", input=json.dumps(case.old), check=True)
        cluster.serve(_options(case))
        cluster.register()
        live = json.loads(cluster.plane.kubectl("get", "-f", "-", "-o", "json", input=json.dumps(case.old), check=True).stdout)
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


def test_server_says_of_upstreams_own_manifests_what_the_engine_says(cluster: Cluster, shared: Path) -> None:
    objects = _upstream(shared)
    assert len(objects) >= 30
    cluster.serve([])
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
