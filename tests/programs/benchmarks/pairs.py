"""Which work grows with pairs of objects: a lint of n, 2n and 4n copies of what a case has, with the calls of functions counted.

``python -m tests.programs.benchmarks.pairs [CASE ...]`` takes one case for each set of kinds, or those whose ids contain a text. Each is
tried twice: with copies that refer to each other, and with copies that all refer to the same objects. It prints the cases in which calls
grow with the pairs of copies, how many there are for each pair, and the functions with which that begins. Some pairs are needed: where n
objects conflict, each has a finding for each of the others.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from cProfile import Profile
from typing import Any, Final

from tests.doors.cases import CASES, Case
from tests.programs.benchmarks.growth import ALL_KNOWN, World
from weighbridge.policies.facts.document import is_snapshot, read_header
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of

_SIZE: Final = 8
#: Fewer calls for each pair aren't printed.
_FEW: Final = 0.25
_MOST_CALLERS: Final = 6
#: Objects that others find by a fixed name, or that hold the others.
_ONCE: Final = frozenset({"Namespace", "CustomResourceDefinition", "Deployment"})
#: How one of the copies is written, by the names of all objects of the case.
_Copy = Callable[[JSONObject, frozenset[str], int], JSONObject]
#: The numbers of calls, by the function that calls (empty for all) and the one that is called.
_Calls = Counter[tuple[str, str]]


def referring_to_each_other(obj: JSONObject, names: frozenset[str], number: int) -> JSONObject:
    """A copy in which every name of an object has the number."""

    def renamed(value: JSONValue) -> Any:
        if isinstance(value, dict):
            return {key: renamed(held) for key, held in value.items()}
        if isinstance(value, list):
            return list(map(renamed, value))
        return f"{value}-{number}" if isinstance(value, str) and value in names else value

    copy: JSONObject = renamed(obj)
    return copy


def referring_to_the_same(obj: JSONObject, names: frozenset[str], number: int) -> JSONObject:
    """A copy in which only its own name has the number; the first one keeps its name."""
    return {**obj, "metadata": {**obj["metadata"], "name": f"{name_of(obj)}-{number}"}} if number else obj


def world(case: Case, count: int, copy: _Copy) -> World:
    """A case, copied `count` times."""
    documents, known = case.cluster or [], ALL_KNOWN
    snapshot = next(filter(is_snapshot, documents), None)
    if snapshot is not None:
        documents, known = snapshot["items"], read_header(snapshot).extent
    once = [obj for obj in documents if obj.get("kind") in _ONCE or not name_of(obj)]
    many = [obj for obj in documents if obj not in once]
    names = frozenset(map(name_of, [*many, case.object])) - {"default"}
    return World(
        given=[copy(case.object, names, number) for number in range(count)],
        cluster=[*once, *(copy(obj, names, number) for number in range(count) for obj in many)],
        known=known,
        config=case.configuration(),
    )


def calls_by_caller(work: World) -> _Calls:
    """The calls for all verdicts."""
    profile, found = Profile(), _Calls()
    gc.disable()
    try:
        with profile:
            for _ in work.decisions(work.facts()):
                pass
    finally:
        gc.enable()
    for entry in profile.getstats():
        found["", _named(entry.code)] += entry.callcount
        for called in entry.calls or ():
            found[_named(entry.code), _named(called.code)] += called.callcount
    return found


def _named(code: Any) -> str:
    if isinstance(code, str):
        return code
    return f"{code.co_filename.partition('weighbridge/')[2] or code.co_filename}:{code.co_firstlineno} {code.co_name}"


def per_pair(least: Mapping[Any, int], less: Mapping[Any, int], more: Mapping[Any, int]) -> dict[Any, float]:
    """The calls for each pair: by how much the second doubling adds more than twice what the first one adds."""
    return {key: (more[key] - 3 * less.get(key, 0) + 2 * least.get(key, 0)) / (6 * _SIZE**2) for key in more}


def report(case: Case, copy: _Copy) -> Iterator[str]:
    """The lines about a case; none if its work grows linearly."""
    # The first run imports and compiles all that the largest one needs.
    _, *counted = (calls_by_caller(world(case, size, copy)) for size in (4 * _SIZE, _SIZE, 2 * _SIZE, 4 * _SIZE))
    found = per_pair(*counted)
    whole = sum(calls for (caller, _), calls in found.items() if not caller)
    if whole < _FEW:
        return
    yield f"{case.id}, {copy.__name__.replace('_', ' ')}: {whole:.1f} for each pair"
    begins = {edge: calls for edge, calls in found.items() if edge[0] and calls >= _FEW and found["", edge[0]] < calls / 10}
    for caller, called in sorted(begins, key=begins.__getitem__, reverse=True)[:_MOST_CALLERS]:
        yield f"  {begins[caller, called]:6.1f}  {caller} calls {called}"


def chosen(wanted: Sequence[str]) -> Iterator[Case]:
    """One case for each set of kinds, or all with one of these texts in their ids."""
    seen = set()
    for case in CASES:
        if not isinstance(case.object, dict) or not name_of(case.object):
            continue
        kinds = case.object.get("kind"), case.object.get("apiVersion"), frozenset(str(obj.get("kind")) for obj in case.cluster or ())
        if any(text in case.id for text in wanted) or not (wanted or kinds in seen):
            seen.add(kinds)
            yield case


def main() -> None:
    """Print the cases."""
    for case in chosen(sys.argv[1:]):
        for copy in (referring_to_each_other, referring_to_the_same):
            for line in report(case, copy):
                print(line, flush=True)


if __name__ == "__main__":
    main()
