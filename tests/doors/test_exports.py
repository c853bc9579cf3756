"""Values that a server writes into an object aren't the author's: a manifest, an export, a PUT and an apply get the same verdict."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.doors.cases import CASES, Case
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.fill.record import has_record
from weighbridge.policies.ground.objects import JSONObject, Operation, is_stored, name_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.requests import request_of

_EACH_KIND = 12


def _chosen() -> Iterator[Case]:
    """All cases in which something is filled in, and some of each kind, without those whose objects have values from a server already."""
    count: Counter[tuple[str, str]] = Counter()
    for case in CASES:
        if is_stored(case.object) or is_stored(case.old) or has_record(case.object):
            continue
        kind = case.object["apiVersion"], case.object["kind"]
        count[kind] += 1
        if case.expect.get("patch") or count[kind] <= _EACH_KIND:
            yield case


CHOSEN = list(_chosen())


def exported(obj: Any, version: str = "12345", **metadata: Any) -> Any:
    """An object as `kubectl get -o yaml --show-managed-fields=false` prints it."""
    servers = {"uid": "11111111-1111-4111-8111-111111111111", "creationTimestamp": "2026-01-01T00:00:00Z", "generation": 3}
    found = copy.deepcopy(obj)
    found["metadata"] = {**found.get("metadata", {}), **servers, "resourceVersion": version, **metadata}
    return found


def verdict(case: Case, obj: JSONObject, old: JSONObject | None = None) -> tuple[object, ...]:
    """The verdicts of `lint` and `dry-run`."""
    facts, operation = case.facts(), Operation.CREATE if old is None else Operation.UPDATE
    validation = case.field_validation
    request = request_of(obj, facts.definitions, uid="u", namespace="default", operation=operation, old=old, field_validation=validation)
    decision = decide(request, facts, case.configuration())
    findings = [(finding.rule, str(finding)) for finding in decision.findings]
    return decision.allowed, decision.code, decision.message, findings, decision.warnings, list(map(str, decision.unchecked))


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.id)
def test_an_export_gets_the_verdict_of_its_manifest(case: Case) -> None:
    manifest, stored = case.object, case.old or case.object
    assert verdict(case, exported(manifest)) == verdict(case, manifest)
    unversioned = exported(stored)
    del unversioned["metadata"]["resourceVersion"]
    told = verdict(case, manifest, unversioned)
    assert verdict(case, manifest, exported(stored, "5")) == told, "an apply"
    assert verdict(case, exported(manifest), exported(stored, "5")) == told, "a PUT of an export of before"
    assert verdict(case, exported(manifest, uid="another"), exported(stored, "5")) == told, "of an object that was made anew since"
    assert verdict(case, exported(manifest, deletionTimestamp="2026-01-01T00:00:00Z"), exported(stored)) == told, "of one that was going"


def test_every_family_is_looked_at() -> None:
    found = {family.name for case in CHOSEN if (family := family_of(case.object["apiVersion"].partition("/")[0])) is not None}
    assert found == {family.name for family in families()}


STORED = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: m
  namespace: ai
  uid: 11111111-1111-1111-1111-111111111111
  generation: 1
  resourceVersion: "5"
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields: [{manager: kubectl, operation: Update, apiVersion: inference.llmkube.dev/v1alpha1}]
  selfLink: /apis/inference.llmkube.dev/v1alpha1/namespaces/ai/models/m
spec:
  source: https://example.com/a.gguf
status: {phase: Ready, written: by a newer operator}
"""
MANIFEST = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: ai}
spec: {source: https://example.com/b.gguf}
"""


def _list(text: str) -> str:
    return "apiVersion: v1\nkind: List\nitems:\n- " + text.rstrip().replace("\n", "\n  ") + "\n"


@pytest.mark.parametrize("manifest", [MANIFEST, STORED, _list(STORED)], ids=["manifest", "export", "list"])
@pytest.mark.parametrize("stored", [STORED, _list(STORED.replace('"5"', '"7"'))], ids=["stored", "stored list"])
def test_no_command_asks_for_a_version(tmp_path: Path, manifest: str, stored: str) -> None:
    path, cluster = tmp_path / "manifest.yaml", tmp_path / "stored.yaml"
    path.write_text(manifest)
    cluster.write_text(stored)
    for command in ("lint {}", "lint {} --cluster {}", "dry-run {}", "dry-run {} --cluster {}", "dry-run {} --old {}"):
        done = run(*command.format(path, cluster).split())
        assert (done.returncode, done.stderr, "error" in done.stdout) == (0, "", False), done.stdout


def test_what_a_server_wrote_is_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "stored.yaml"
    path.write_text(STORED.replace("spec:", "spec:\n  format: gguf\n  refreshPolicy: IfNotPresent"))
    assert f"# {path}:1: stored as given" in run("dry-run", str(path), "-o", "diff").stdout
    assert f"# {path}:1: stored as given" in run("dry-run", str(path), "--old", str(path), "-o", "diff").stdout


def test_an_export_of_a_definition_is_judged(tmp_path: Path) -> None:
    crd = exported(next(iter(bundled_crds())))
    crd["status"] = {"acceptedNames": crd["spec"]["names"], "storedVersions": ["v1alpha1"], "conditions": []}
    path = tmp_path / "crd.json"
    path.write_text(json.dumps(crd))
    for options in ((), ("--old", str(path))):
        done = run("dry-run", str(path), *options)
        assert (done.returncode, f"{name_of(crd)} ({path}:1): allowed" in done.stdout) == (0, True), done.stdout


def test_a_recorded_review_keeps_its_preconditions(tmp_path: Path) -> None:
    old, new = (json.loads(json.dumps(exported({**MODEL, "spec": {"source": f"https://example.com/{each}.gguf"}}, each))) for each in "57")
    request = {
        "uid": "u",
        "operation": "UPDATE",
        "kind": {"group": "inference.llmkube.dev", "version": "v1alpha1", "kind": "Model"},
        "namespace": "ai",
        "name": "m",
        "object": new,
        "oldObject": old,
    }
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    path = tmp_path / "reviews.jsonl"
    path.write_text(json.dumps(review))
    assert '"code":409' in run("dry-run", "--reviews", str(path)).stdout
    creation = {**review, "request": {**request, "operation": "CREATE", "oldObject": None}}
    path.write_text(json.dumps(creation))
    assert "resourceVersion should not be set on objects to be created" in run("dry-run", "--reviews", str(path)).stdout


MODEL = {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": {"name": "m", "namespace": "ai"}}
