"""Upstream's own manifests through every door: the recorded outcome of each, and none refused."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonpatch
import pytest
from click.testing import CliRunner

from tests.conftest import SHARED
from tests.doors.cases import Case
from tests.doors.test_http import call
from tests.e2e.cluster import without_servers_own
from tests.llmkube.corpus import SITUATIONS, Sample, expected, is_judged, outcome, outcomes, samples
from weighbridge.policies.apiserver.admission import decode, redefault
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cli.commands import cli
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

JUDGED = [(sample, situation) for sample in samples() if is_judged(sample) for situation in SITUATIONS]
FILES = sorted({sample.file for sample, _ in JUDGED})


def _ids(value: Any) -> str:
    return value.id if isinstance(value, Sample) else Path(value).name


def _told(*arguments: str) -> Any:
    """The output of a command, and its exit code."""
    result = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    return result.stdout, result.return_value


def _around(situation: str) -> list[str]:
    return [argument for path in SITUATIONS[situation] for argument in ("--cluster", path)]


def test_every_document_has_its_outcome_and_none_is_refused() -> None:
    recorded = Counter((file, document["object"]) for file, documents in outcomes().items() for document in documents)
    assert recorded == Counter((sample.file.name, sample.name) for sample in samples())
    assert len(JUDGED) >= 40
    assert [f"{sample.id} ({situation})" for sample, situation in JUDGED if not expected(sample, situation)["allowed"]] == []


@pytest.mark.parametrize(("sample", "situation"), JUDGED, ids=_ids)
def test_engine_reaches_the_recorded_outcome(sample: Sample, situation: str) -> None:
    facts = sample.facts(situation)
    assert outcome(decide(sample.request(facts), facts, DEFAULT)) == expected(sample, situation)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("file", FILES, ids=_ids)
def test_dry_run_of_a_file_reaches_the_recorded_outcomes(file: Path, situation: str) -> None:
    lines, code = _told("dry-run", str(file), *_around(situation), "-o", "jsonl")
    records = [json.loads(line) for line in lines.splitlines()]
    of_file = [sample for sample, where in JUDGED if sample.file == file and where == situation]
    for sample in of_file:
        name, kind = name_of(sample.object), sample.object["kind"]
        record = next(record for record in records if (name_of(record["object"]), record["object"]["kind"]) == (name, kind))
        wanted = expected(sample, situation)
        told = {f"{weight}s": {f["rule"] for f in record["findings"] if f["severity"] == weight} for weight in ("error", "warning", "note")}
        assert record["allowed"] is wanted["allowed"]
        assert told == {weight: set(wanted.get(weight, [])) for weight in ("errors", "warnings", "notes")}
        assert {entry["subject"].split()[0] for entry in record["unchecked"]} == set(wanted.get("unchecked", []))
        filled = {entry["field"]: entry["value"] for entry in record["provenance"] if entry["source"] != "CRD"}
        assert filled == wanted.get("filled in", {})
    assert code == 0


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("file", FILES, ids=_ids)
def test_lint_of_a_file_finds_the_recorded_outcomes(file: Path, situation: str) -> None:
    text, code = _told("lint", str(file), *_around(situation), "-o", "json")
    wanted: Counter[str] = Counter()
    for sample, where in JUDGED:
        if sample.file == file and where == situation:
            found = expected(sample, situation)
            wanted.update([*found.get("errors", []), *found.get("warnings", []), *found.get("notes", [])])
    told = {finding["rule"] for result in json.loads(text)["results"] for finding in result["findings"]}
    assert told == set(wanted)
    assert code == 0


@pytest.mark.parametrize(("sample", "situation"), JUDGED, ids=_ids)
def test_webhook_answers_with_the_recorded_outcome(sample: Sample, situation: str) -> None:
    facts = sample.facts(situation)
    request = sample.request(facts)
    decision = decide(request, facts, DEFAULT)
    definition = facts.definitions.get(request.gvk)
    assert definition is not None
    service = Service(ServerSettings(), facts, DEFAULT)
    case = Case(sample.file, sample.object, None, None, None, {})
    sent = stored_numbers(decode(request, definition).object)
    mutated = call(service, "/mutate", case, sent)
    patch = json.loads(base64.b64decode(mutated["patch"])) if "patch" in mutated else []
    assert bool(patch) is ("filled in" in expected(sample, situation))
    obj = jsonpatch.apply_patch(sent, patch)
    redefault(obj, definition)
    assert without_servers_own(obj) == without_servers_own(decision.object)
    validated = call(service, "/validate", case, obj)
    assert validated["allowed"] is expected(sample, situation)["allowed"]
    rules = {warning.split()[0] for warning in validated.get("warnings", [])}
    assert rules == set(expected(sample, situation).get("warnings", []))
