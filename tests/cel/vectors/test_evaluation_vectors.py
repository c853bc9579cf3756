"""Upstream's own evaluations: the result or error, and the cost if a test checks it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cel.vectors import jsonpatch_library
from tests.cel.vectors.environments import environments_of
from tests.cel.vectors.upstream_objects import value_of
from tests.cel.vectors.verdicts import judged_values
from tests.conftest import CountVectors
from tests.schema.vectors import load
from weighbridge.policies.cel.check.environment import Environment, environment, environment_of
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.syntax.nodes import Expr, Ident, Literal, Select

Json = dict[str, Any]

#: Upstream's tests of costs that compile without folding constants and without checking literals.
_BARE = {"TestListsCost", "TestIndexOfCost", "TestSetsCost", "TestTwoVariableComprehensionCost", "TestStringLibrary"}
#: Our accumulator's first value is always a constant, which saves the cost of its literal.
_FIRST_VALUES = {
    "TestTwoVariableComprehensionCost/map_transform": 30,
    "TestTwoVariableComprehensionCost/list_transform": 10,
}
#: Messages of a type that the test declares in Go; no server has it, and no rule can build one.
_OF_THE_TEST = {"TestTypeProvider/empty", "TestTypeProvider/simple"}


class _Unfolded(Constants):
    """Knows only literals and type names."""

    def _visit(self, node: Expr) -> None:
        if isinstance(node, (Literal, Ident, Select)):
            super()._visit(node)

    def membership(self, node: Any) -> None:
        return None


def test_evaluations_come_to_what_the_server_says(shared: Path, monkeypatch: pytest.MonkeyPatch, count_vectors: CountVectors) -> None:
    cases = load(shared, "cel_eval")["cases"]
    as_maps = {case["test"]: case["vars"] for case in cases}
    differing = {}
    for case in cases:
        with monkeypatch.context() as context:
            if case["test"].split("/")[0] in _BARE:
                context.setattr("weighbridge.policies.cel.emit.program.Constants", _Unfolded)
                context.setattr("weighbridge.policies.cel.check.checked.validate", lambda *_: None)
            verdict = judged_values(case["expr"], _environment(case["test"]), _values(case, as_maps))
        if found := verdict.differences(_wanted(case)):
            differing[case["test"]] = (found, verdict.said, verdict.value)
    assert differing.keys() == _OF_THE_TEST, {test: said for test, said in differing.items() if test not in _OF_THE_TEST}
    assert len(cases) == 809
    count_vectors("cel_eval", len(cases) - len(differing), len(cases))


def _environment(test: str) -> Environment:
    if test.startswith("TestBaseEnvironment"):
        return environments_of(test)[0]
    return environment_of((*LIBRARIES, jsonpatch_library.LIBRARY)) if "jsonpatch" in test else environment()


def _values(case: Json, as_maps: dict[str, Json]) -> dict[str, Any]:
    """The variables; instead of Go structs, those have the maps of the other half of the test."""
    other = as_maps.get(case["test"].replace("/TypedToVal", "/UnstructuredToVal"), {})
    found = {}
    for name, tagged in case["vars"].items():
        has_struct = "k8s.io/apiserver/pkg/cel/common_test." in str(tagged)
        found[name] = value_of(other[name] if has_struct else tagged)
    return found


def _wanted(case: Json) -> Json:
    wanted = {"value" if name == "result" else name: case[name] for name in ("result", "error", "cost") if name in case}
    for family, saved in _FIRST_VALUES.items():
        if case["test"].startswith(family):
            wanted["cost"] -= saved
    return wanted
