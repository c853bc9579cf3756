"""Our answers equal those of a real API server with llmaz's webhooks, write by write: the refusal, or the stored object with its
changes.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import CountVectors
from tests.llmaz.records import Answer, answer, records
from weighbridge.policies.ground.objects import JSONObject, name_of

#: Objects that the mutating webhook can't read: the schema refuses the same ones, in other words.
READ_BY_GO = "json: cannot unmarshal", "quantities must match", "parsing time"
#: Objects that are refused with other words than ours, with the reason.
OTHER_WORDS = {
    "pl/res-02-llamacpp": "prints Go's structs",
    "pl/res-05-llamacpp": "prints Go's structs",
    "pl/res-05-vllm": "prints Go's structs",
}


def asked(record: dict[str, Any]) -> Iterator[tuple[JSONObject, Answer, JSONObject]]:
    """The writes of a case with our answer and the recorded one."""
    stored: dict[tuple[str, str], JSONObject] = {}
    for obj, theirs in zip(record["objects"], record["outcome"]["admission"], strict=True):
        key = (obj["apiVersion"] + obj["kind"], name_of(obj))
        found = answer(obj, stored.get(key))
        if found.object is not None:
            stored[key] = copy.deepcopy(found.object)
        yield obj, found, theirs


def test_every_recorded_answer_is_ours(shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[str, tuple[str, str]] = {}
    counts: Counter[str] = Counter()
    for record in records():
        name = record["id"].split("/", 3)[3]
        for _, ours, theirs in asked(record):
            counts["all"] += 1
            message = theirs.get("message", "")
            is_read_by_go = any(words in message for words in READ_BY_GO)
            if bool(ours.message) != (theirs["code"] >= 300) or (ours.message != message and not is_read_by_go and name not in OTHER_WORDS):
                wrong[name] = ours.message, message
    assert wrong == {}
    count_vectors("llmaz admission", counts["all"], counts["all"])


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every part of an object by its path in the form of the recordings, including maps and lists."""
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flat(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from flat(inner, f"{path}[{place}]")


def test_what_is_stored_otherwise_than_it_came_is_ours(shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[str, dict[str, tuple[Any, Any]]] = {}
    counts: Counter[str] = Counter()
    for record in records():
        for obj, ours, theirs in asked(record):
            if ours.object is None or not theirs.get("changed"):
                continue
            stored = dict(flat(ours.object))
            changed = {path: value for path, value in theirs["changed"].items() if value != "<time>"}
            counts["all"] += len(changed)
            found = {path: (stored.get(path), value) for path, value in changed.items() if stored.get(path) != value}
            if found:
                wrong[f"{record['id']} {obj['kind']}"] = found
    assert wrong == {}
    count_vectors("llmaz stored values", counts["all"], counts["all"])
