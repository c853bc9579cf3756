"""The status that is predicted of every recorded Model is the one that the real operator wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.conftest import CountVectors
from tests.llmkube.model.recorded import Record, records
from weighbridge.policies.families.llmkube.predictions.model.state import ModelState, model_state
from weighbridge.policies.ground.objects import JSONObject

#: Fields of the status that no prediction has: times, and measures of the file itself.
_MEASURED: Final = {"lastRevalidated", "sha256", "sourceContentLength"}
#: The size is a measure, too, for a file that the operator copies from its own disk.
_MEASURED_OF_COPIES: Final = _MEASURED | {"size"}
#: Records whose outcome depended on a file of the recording machine, which was missing; the cluster doesn't show that.
_FILE_WAS_MISSING: Final = {"llmkube/head/tuned/tuned/local-4", "llmkube/head/tuned2/tuned2/local-4"}


def _cases(shared: Path) -> list[tuple[Record, ModelState, JSONObject]]:
    found = []
    for record in records(shared):
        for model in record.of_kind("Model"):
            wrote = record.status(model)
            if wrote is not None:
                found.append((record, model_state(model, record.operator, record.facts), wrote))
    return found


def _comparable(status: JSONObject, state: ModelState) -> JSONObject:
    unknown = _MEASURED_OF_COPIES if state.reason == "ModelReady" else _MEASURED
    return {key: value for key, value in status.items() if key not in unknown}


def test_every_recorded_status_is_predicted(shared: Path, count_vectors: CountVectors) -> None:
    cases = _cases(shared)
    compared = [case for case in cases if case[0].id not in _FILE_WAS_MISSING]
    wrong = [
        (record.id, _comparable(state.as_json(), state), _comparable(wrote, state))
        for record, state, wrote in compared
        if _comparable(state.as_json(), state) != _comparable(wrote, state)
    ]
    assert not wrong
    assert len(compared) > 900
    count_vectors("LLMKube status of Models", len(compared), len(cases))


def test_what_was_left_out_is_said_to_be_unknown(shared: Path) -> None:
    left_out = {record.id: (state, wrote) for record, state, wrote in _cases(shared) if record.id in _FILE_WAS_MISSING}
    assert set(left_out) == _FILE_WAS_MISSING
    for state, wrote in left_out.values():
        assert state.unknown == "whether the operator can read /data/models/a/../b on its own disk"
        assert state.cache_key == wrote["cacheKey"]
        assert [condition["message"] for condition in wrote["conditions"]][-1].endswith("no such file or directory")


def test_no_failure_is_predicted_that_was_not_recorded(shared: Path) -> None:
    """And no failure is missed: the phases are equal, except for the missing files."""
    phases = {(state.phase, wrote["phase"]) for record, state, wrote in _cases(shared) if record.id not in _FILE_WAS_MISSING}
    assert phases == {("Ready", "Ready"), ("Failed", "Failed"), ("Downloading", "Downloading")}
