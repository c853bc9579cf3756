"""Upstream's own manifests of each release through three doors: the refusals and warnings, with reasons that their authors would accept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.doors.cases import Case
from tests.doors.test_command_line import run
from tests.doors.test_http import test_webhook_answers_what_the_engine_says as webhook_answers_alike
from tests.yaml_documents import read_all
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

SAMPLES = "corpus/gie/samples"
#: Refused manifests, by the end of the path.
REFUSED = {
    "gateway_v1alpha1_inferencemodel.yaml": "v1alpha1 went with v0.2.0, without a conversion",
    "gateway_v1alpha1_inferencepool.yaml": "the same",
    "pkg/manifests/inferencemodel.yaml": "the same",
    "inferencepool-leader-election-e2e.yaml": "v1 with the fields of v1alpha2",
}
#: Objects with warnings, by name.
WARNED = {
    "appprotocol-http-inference-pool": {"GIE-017"},  # A test of protocols, for which two pools choose the same pods.
    "appprotocol-h2c-inference-pool": {"GIE-017"},
    "pool-with-missing-epp-ref": {"GIE-014"},  # What the test is about.
}


def release_of(path: Path) -> str:
    """The release of a manifest."""
    return next(part for part in path.parts if part.startswith("v") and part[1].isdigit())


def manifests(folder: Path) -> Iterator[tuple[Path, JSONObject, list[JSONObject]]]:
    """Every object of the Inference Extension, with the other objects of its file."""
    for path in sorted(folder.rglob("*.yaml")):
        documents = [found for found in read_all(path.read_text()) if isinstance(found, dict)]
        for found in documents:
            gvk = GroupVersionKind.from_object(found)
            family = family_of(gvk.group) if gvk is not None else None
            if family is not None and family.name == "inference_extension":
                yield path, found, [other for other in documents if other is not found]


def case_of(path: Path, obj: JSONObject, beside: list[JSONObject]) -> Case:
    """A manifest as a case, in a cluster of its release."""
    config = {"inferenceExtension": {"version": release_of(path)}}
    return Case(path.parent, obj, None, beside, config, {"allowed": True, "fieldValidation": "Warn"})


def test_upstreams_manifests_are_taken_but_for_those_that_are_wrong(shared: Path) -> None:
    refused, warned = set(), {}
    found = list(manifests(shared / SAMPLES))
    for path, obj, beside in found:
        case = case_of(path, obj, beside)
        config = case.configuration()
        decision = decide(case.request(), from_objects([], bundled_definitions(config), beside=beside), config)
        if not decision.allowed:
            refused |= {end for end in REFUSED if str(path).endswith(end)} or {str(path)}
        else:
            rules = {finding.rule for finding in decision.findings if finding.rule.startswith("GIE")}
            if rules:
                warned[name_of(obj)] = rules
    assert len(found) > 50
    assert refused == set(REFUSED)
    assert warned == WARNED


def test_the_webhook_says_of_them_what_the_engine_says(shared: Path) -> None:
    asked = 0
    for path, obj, beside in manifests(shared / SAMPLES):
        case = case_of(path, obj, beside)
        if decide(case.request(), case.facts(), case.configuration()).code not in {400, 404, 422}:
            webhook_answers_alike(case)
            asked += 1
    assert asked > 45


def test_dry_run_says_of_them_what_the_engine_says(shared: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    for path in sorted({path for path, _, _ in manifests(shared / SAMPLES)}):
        settings: JSONObject = {"inferenceExtension": {"version": release_of(path)}}
        config.write_text(json.dumps({"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", **settings}))
        output = run("dry-run", str(path), "--config", str(config), "--field-validation", "Warn", "-o", "jsonl").stdout
        records = list(map(json.loads, output.splitlines()))
        assert len(records) >= len([obj for found, obj, _ in manifests(path.parent) if found == path])
        is_right = not any(str(path).endswith(end) for end in REFUSED)
        assert all(record["allowed"] for record in records if "allowed" in record) is is_right
