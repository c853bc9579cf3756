"""Upstream's own manifests through every door: webhook, dry-run and lint have the engine's verdict on each."""

from __future__ import annotations

import base64
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from tests.conftest import SHARED
from tests.doors.applied import with_managed_fields
from tests.doors.cases import Case
from tests.doors.test_command_line import run
from tests.doors.test_http import call
from tests.e2e.cluster import without_servers_own
from tests.e2e.comparison import rewritten
from tests.programs.sweep.samples import FOLDERS, SITUATIONS, Sample, samples
from weighbridge.policies.apiserver.admission import decode, redefault
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

SAMPLES = [(family, sample) for family in FOLDERS for sample in samples(family)]
#: The files by family and folder, each with its samples in order.
FILES = [
    (family, file, [sample for owner, sample in SAMPLES if owner == family and sample.file == file])
    for family in FOLDERS
    for file in sorted({sample.file for owner, sample in SAMPLES if owner == family})
]
IDS = [f"{family}/{file.parent.name}/{file.name}" for family, file, _ in FILES]


@cache
def _decided(sample: Sample, situation: str) -> Decision:
    """The engine's decision, with which all doors are compared."""
    facts = sample.facts(situation)
    return decide(sample.request(facts), facts, sample.config)


def _options(sample: Sample, situation: str, folder: Path) -> list[str]:
    """The options that give a command the same input as the engine."""
    options = [argument for path in SITUATIONS[situation] for argument in ("--cluster", path)]
    if sample.settings:
        config = folder / "config.yaml"
        config.write_text(json.dumps({"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", **sample.settings}))
        options += ["--config", str(config)]
    return options


def _found(findings: Any) -> Counter[tuple[str, str, str]]:
    return Counter((finding["rule"], finding["field"], finding["message"]) for finding in findings)


def _said(decision: Decision) -> Counter[tuple[str, str, str]]:
    return Counter((finding.rule, finding.field, finding.message) for finding in decision.findings)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize(("family", "file", "of_file"), FILES, ids=IDS)
def test_dry_run_says_what_the_engine_says(family: str, file: Path, of_file: list[Sample], situation: str, tmp_path: Path) -> None:
    printed = run("dry-run", str(file), *_options(of_file[0], situation, tmp_path), "-o", "jsonl").stdout
    records = {
        (record["document"], record["object"]["kind"]): record for record in map(json.loads, printed.splitlines()) if "object" in record
    }
    for sample in of_file:
        decision = _decided(sample, situation)
        record = next(
            record
            for (_, kind), record in records.items()
            if (kind, name_of(record["object"])) == (sample.object["kind"], name_of(sample.object))
        )
        assert record["allowed"] is decision.allowed, family
        assert _found(record["findings"]) == _said(decision)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize(("family", "file", "of_file"), FILES, ids=IDS)
def test_lint_finds_what_the_engine_finds(family: str, file: Path, of_file: list[Sample], situation: str, tmp_path: Path) -> None:
    printed = run("lint", str(file), *_options(of_file[0], situation, tmp_path), "-o", "json").stdout
    told = _found(finding for result in json.loads(printed)["results"] for finding in result["findings"])
    wanted: Counter[tuple[str, str, str]] = Counter()
    for sample in of_file:
        wanted.update(_said(_decided(sample, situation)))
    assert wanted <= told, family


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize(("family", "sample"), SAMPLES, ids=[f"{family}/{sample.id}" for family, sample in SAMPLES])
def test_the_webhook_answers_what_the_engine_says(family: str, sample: Sample, situation: str) -> None:
    facts = sample.facts(situation)
    request = sample.request(facts)
    decision = _decided(sample, situation)
    definition = facts.definitions.get(request.gvk)
    if decision.code in {400, 404, 422} or definition is None:
        # The API server refuses it before it calls any webhook.
        assert not decision.allowed
        return
    service = Service(ServerSettings(), facts, sample.config)
    case = Case(sample.file, sample.object, None, None, None, {})
    sent = stored_numbers(decode(request, definition).object)
    if isinstance(decision.object, dict) and "status" not in decision.object:
        # The server removes it before it calls a webhook.
        sent.pop("status", None)
    sent = with_managed_fields(sent, sample.object)
    mutated = call(service, "/mutate", case, sent)
    patch = json.loads(base64.b64decode(mutated["patch"])) if "patch" in mutated else []
    assert patch == list(decision.patch)
    obj = jsonpatch.apply_patch(sent, patch)
    redefault(obj, definition)
    assert rewritten(without_servers_own(obj)) == without_servers_own(decision.object), family
    validated = call(service, "/validate", case, obj)
    assert validated["allowed"] is decision.allowed
    if not decision.allowed:
        assert decision.message.endswith(f"denied the request: {validated['status']['message']}")
