"""Expressions with the verdict of Kubernetes 1.36: value or error, run-time cost, estimate, texts of the compiler.

Every test names the cases in which the vector and we differ, with the reason; any other difference fails, and so does agreement on these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policies.cel.folding import Constants
from policies.cel.nodes import Expr, Ident, Literal, Select
from tests.cel.typed_values import agrees
from tests.cel.verdicts import judged

#: Go runs over a map in random order, which shows in the cost where a fold stops early; we keep the order of writing.
_RANDOM_ORDER = {"macros2/exists/map_key/7": {"cost"}}
#: How many cases of each verdict there are, so that none goes missing.
_FILES = {"celspec_verdicts": (1616, 308), "probe_exprs": (223, 38), "probe_costs": (61, 1)}
#: Upstream's tests of costs that compile without folding constants.
_UNFOLDED = {"TestListsCost", "TestIndexOfCost", "TestSetsCost", "TestTwoVariableComprehensionCost", "TestStringLibrary"}
_MAPS_OF_CONSTANTS = "TestTwoVariableComprehensionCost/map_transform"
_LISTS_OF_CONSTANTS = "TestTwoVariableComprehensionCost/list_transform"
#: Evaluations that no stored rule of a CRD can meet.
_ELSEWHERE = {
    # A type that the test itself declares.
    "TestTypeProvider/empty", "TestTypeProvider/simple",
    # Functions that the test itself declares, for versions that it invents.
    "TestBaseEnvironment/library_version_0_enabled,_version_1_disabled/version=1.27,envType=NewExpressions",
    "TestBaseEnvironment/library_version_0_disabled,_version_1_enabled/version=1.28,envType=NewExpressions",
    # Not a library of CRD rules.
    "TestStringLibrary/jsonpatch.escapeKey",
    # The server's maps of Go structs take no other keys than strings; data in a rule has a declared type, which the checker looks at.
    "TestToValue/struct:_access_with_non-string_key_(get)_(error)/UnstructuredToVal",
    "TestToValue/struct:_check_contains_non-string_key_(error)/UnstructuredToVal",
    # Literals of mixed types, which the validators of rules refuse and this test doesn't ask.
    *(f"TestSetsCost/#{number:02}" for number in (6, 7, 8, 9, 10, 13, 14, 19, 21, 22, 25, 26, 32, 33, 34, 35, 39, 40)),
}  # fmt: skip


#: Where the specification has moved on and the server has not, or does otherwise on purpose; our values are the server's.
_SERVERS_OWN = {
    # A constant index of a wrong type is refused before anything runs.
    "fields/map_fields/map_bad_key_type_or_true/17",
    "fields/map_fields/map_bad_key_type_and_false/18",
    # The container of the specification's test is not set in the server.
    "namespace/namespace_shadowing/comprehension_shadowing_selector/8",
    # The server takes no IPv4 address in the clothes of IPv6.
    "network_ext/ipv4/ipv4_equals_ipv6/27",
    "network_ext/ipv4/ipv4_not_equals_ipv6/28",
    # `format` as it was before the specification wrote it down: quoted members, exponents after a times sign, infinity as a symbol.
    *(
        f"string_ext/format/{name}"
        for name in (
            "scientific notation formatting clause/102",
            "default precision for scientific notation/106",
            "NaN support for scientific notation/109",
            "positive infinity support for scientific notation/110",
            "negative infinity support for scientific notation/111",
            "positive infinity support for fixed-point/116",
            "negative infinity support for fixed-point/117",
            "list support for string/125",
            "map support for string/126",
            "map support (all key types)/127",
            "dyntype support for scientific notation/137",
            "dyntype NaN/infinity support/138",
            "dyntype support for lists/141",
            "dyntype support for maps/142",
            "scientific notation formatting clause in a string variable/148",
        )
    ),
}


class _Unfolded(Constants):
    """Knows literals and type names alone."""

    def _visit(self, node: Expr) -> None:
        if isinstance(node, (Literal, Ident, Select)):
            super()._visit(node)

    def membership(self, node: Any) -> None:
        return None


def _cases(shared: Path, name: str) -> Iterator[tuple[dict[str, Any], dict[str, str], dict[str, Any]]]:
    content = json.loads((shared / "conformance" / f"{name}.json").read_text("utf-8"))
    for case in content["cases"]:
        yield case, case.get("types", content.get("types", {})), case.get("vars", content.get("vars", {}))


@pytest.mark.parametrize("name", sorted(_FILES))
def test_expressions_come_to_what_the_server_says(shared: Path, name: str) -> None:
    differing, total, refused = {}, 0, 0
    for case, types, values in _cases(shared, name):
        total += 1
        refused += "compileError" in case
        found = judged(case["expr"], types, values).differences(case)
        if found:
            differing[case["id"]] = found
    assert differing == (_RANDOM_ORDER if name == "celspec_verdicts" else {})
    assert (total, refused) == _FILES[name]


def test_values_are_those_of_the_specification(shared: Path) -> None:
    verdicts = {case["id"]: (case, types, values) for case, types, values in _cases(shared, "celspec_verdicts")}
    compared, differing = 0, set()
    for file in sorted((shared / "conformance" / "celspec").glob("*.json")):
        if file.stem == "index":
            continue
        for index, case in enumerate(json.loads(file.read_text("utf-8"))["cases"]):
            id_ = f"{file.stem}/{case['section']}/{case['name']}/{index}"
            if id_ not in verdicts or "value" not in case or "compileError" in verdicts[id_][0]:
                continue
            compared += 1
            _, types, values = verdicts[id_]
            verdict = judged(case["expr"], types, values)
            if "error" in verdict.said or not agrees(case["value"], verdict.value):
                differing.add(id_)
    assert differing == _SERVERS_OWN
    assert compared == 1203


def test_evaluations_come_to_what_the_server_says(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    differing, unsayable, agreed = set(), 0, 0
    for case, _, values in _cases(shared, "cel_eval"):
        said = {name: _said(value) for name, value in values.items() if name != "authorizer" or "authorizer" in case["expr"]}
        if not all(map(_is_sayable, said.values())):
            unsayable += 1
            continue
        family = case["test"].split("/")[0]
        with monkeypatch.context() as context:
            if family in _UNFOLDED:
                context.setattr("policies.cel.program.Constants", _Unfolded)
            verdict = judged(case["expr"], dict.fromkeys(said, "dyn"), said)
        if verdict.differences(_wanted(case)):
            differing.add(case["test"])
        else:
            agreed += 1
    assert differing == _ELSEWHERE
    assert (agreed, unsayable) == (584, 199)


def _wanted(case: dict[str, Any]) -> dict[str, Any]:
    wanted = {"value" if name == "result" else name: case[name] for name in ("result", "error", "cost") if name in case}
    # The accumulator's first value is a constant to us in any case.
    if case["test"].startswith(_MAPS_OF_CONSTANTS):
        wanted["cost"] -= 30
    elif case["test"].startswith(_LISTS_OF_CONSTANTS):
        wanted["cost"] -= 10
    return wanted


def _said(value: Any) -> Any:
    """A value without the entries that stand for Go struct fields which can't be converted."""
    if not isinstance(value, dict):
        return value
    if "list" in value:
        return {"list": [_said(element) for element in value["list"]]}
    if "map" in value:
        return {"map": [[key, _said(inner)] for key, inner in value["map"] if key is not None]}
    return value


def _is_sayable(value: Any) -> bool:
    """Whether a value is written out whole; Go structs, timestamps and handles of the server's stand as their printed text."""
    if not isinstance(value, dict) or len(value) != 1:
        return False
    kind, content = next(iter(value.items()))
    if kind == "list":
        return all(map(_is_sayable, content))
    if kind == "map":
        return all(_is_sayable(key) and _is_sayable(inner) for key, inner in content)
    return kind in ("bool", "int", "uint", "double", "string", "bytes", "null")
