"""YAML texts with the values that kubectl 1.36 read from them, and upstream's own manifests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.conftest import CountVectors
from tests.manifests.reading import read_all, read_one
from weighbridge.policies.ground.objects import JSONValue, walk
from weighbridge.webhook.manifests import ABSENT

#: The line and column of the mistake in each text that kubectl refuses.
ERROR_PLACES = {
    "null: nullkey": (2, 3),
    "a: @x": (2, 6),
    "a: %x": (2, 6),
    'a: "unclosed': (2, 6),
    "a: 'x' y": (2, 10),
    "a: .inf": (2, 6),
    'a: "\\ud83d\\ude00"': (2, 9),
    "{a: b}: 1": (2, 8),
}


def _go_integer(text: str) -> int | float:
    value = int(text)
    return value if -(1 << 63) <= value < 1 << 63 else float(text)


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, str]]:
    """The golden corpus."""
    loaded: list[dict[str, str]] = json.loads((shared / "conformance" / "yaml_to_json.json").read_text())["cases"]
    return loaded


def test_values_are_kubectls(cases: list[dict[str, str]], count_vectors: CountVectors) -> None:
    accepted = [case for case in cases if "jsonText" in case]
    assert len(accepted) > 50
    expected = {case["yaml"]: repr(json.loads(case["jsonText"], parse_int=_go_integer)) for case in accepted}
    assert {case["yaml"]: repr(read_one(case["yaml"]).value) for case in accepted} == expected
    count_vectors("yaml_to_json", len(accepted), len(accepted))


def test_refusals_are_kubectls_word_for_word(cases: list[dict[str, str]], count_vectors: CountVectors) -> None:
    refused = [case for case in cases if "error" in case]
    assert len(refused) == len(ERROR_PLACES)
    expected = {case["yaml"]: (ABSENT, case["error"]) for case in refused}
    found = {case["yaml"]: read_one(case["yaml"]) for case in refused}
    assert {text: (document.value, document.issues[0].kubectl) for text, document in found.items()} == expected
    count_vectors("yaml_to_json", len(refused), len(refused))


def test_refusals_have_the_place_to_look_at(cases: list[dict[str, str]]) -> None:
    found = {case["yaml"]: read_one(case["yaml"]).issues[0] for case in cases if "error" in case}
    places = {text.removeprefix("x:\n").strip(): (issue.line, issue.column) for text, issue in found.items()}
    assert places == ERROR_PLACES


def _manifests(shared: Path) -> list[Path]:
    return sorted(path for path in (shared / "corpus").rglob("*.yaml") if path.stat().st_size < 100_000)


def test_upstreams_manifests_read_as_pyyaml_reads_them(shared: Path) -> None:
    differing = []
    for path in _manifests(shared):
        ours = read_all(path.read_bytes())
        theirs: list[JSONValue] = list(yaml.load_all(path.read_bytes(), yaml.CSafeLoader))
        if [document.value for document in ours if document.value is not None] != [value for value in theirs if value is not None]:
            differing.append(path.name)
    assert differing == []


def test_every_scalar_of_upstreams_samples_stands_where_it_is_said_to(shared: Path) -> None:
    checked = 0
    for path in (path for path in _manifests(shared) if "samples" in path.parts):
        for document in read_all(path.read_bytes()):
            for where, value in walk(document.value):
                if isinstance(value, str) and value and "\n" not in value and isinstance(where[-1] if where else 0, str):
                    span = document.span(where)
                    line = document.text_lines[span.start.line - 1]
                    written = line[span.start.column - 1 : span.end.column - 1]
                    if span.start.line == span.end.line:
                        assert yaml.safe_load(f"x: {written}")["x"] is not None
                        assert value.split()[0] in written or written[0] in "'\"", (path, where)
                        checked += 1
    assert checked > 1000
