"""Expressions with the verdict of Kubernetes 1.36: value or error, run-time cost, estimate, messages of the compiler.

Every test names the cases in which we differ from the vector, with the reason; any other difference fails, as does agreement in these
cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cel.vectors.typed_values import agrees
from tests.cel.vectors.verdicts import judged
from tests.conftest import CountVectors

#: Go iterates over a map in random order, which changes the cost if a fold stops early; we keep the order of writing.
_RANDOM_ORDER = {"macros2/exists/map_key/7": {"cost"}}
#: The number of cases of each verdict, so that none goes missing.
_FILES = {"celspec_verdicts": (1616, 308), "probe_exprs": (223, 38), "probe_costs": (61, 1)}
#: Cases in which the specification has changed and the server hasn't, or in which the server deviates on purpose; our values are the
#: server's.
_SERVERS_OWN = {
    # A constant index of a wrong type is refused before the expression runs.
    "fields/map_fields/map_bad_key_type_or_true/17",
    "fields/map_fields/map_bad_key_type_and_false/18",
    # The container of the specification's test is not set in the server.
    "namespace/namespace_shadowing/comprehension_shadowing_selector/8",
    # The server accepts no IPv4 address in the form of IPv6.
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


def _cases(shared: Path, name: str) -> Iterator[tuple[dict[str, Any], dict[str, str], dict[str, Any]]]:
    content = json.loads((shared / "conformance" / f"{name}.json").read_text("utf-8"))
    for case in content["cases"]:
        yield case, case.get("types", content.get("types", {})), case.get("vars", content.get("vars", {}))


@pytest.mark.parametrize("name", sorted(_FILES))
def test_expressions_come_to_what_the_server_says(shared: Path, name: str, count_vectors: CountVectors) -> None:
    differing, total, refused = {}, 0, 0
    for case, types, values in _cases(shared, name):
        total += 1
        refused += "compileError" in case
        found = judged(case["expr"], types, values).differences(case)
        if found:
            differing[case["id"]] = found
    assert differing == (_RANDOM_ORDER if name == "celspec_verdicts" else {})
    assert (total, refused) == _FILES[name]
    count_vectors(name, total - len(differing), total)


def test_values_are_those_of_the_specification(shared: Path, count_vectors: CountVectors) -> None:
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
    count_vectors("celspec", compared - len(differing), compared)
