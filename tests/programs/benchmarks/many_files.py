"""Many files of every bundled kind, made from the test cases: each file has a case's objects under new names, in one of several
namespaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import yaml

from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, name_of

_CASES: Final = Path(__file__).parents[2] / "cases"
_NAMESPACES: Final = 25
#: One of this many cases is refused or warned of.
_FLAWED: Final = 4


def write_files(folder: Path, most: int) -> int:
    """Write a number of files, about as many of each kind, and return the number of kinds."""
    kinds = {kind.gvk: kind.namespaced for family in families() for kind in family.kinds}
    worlds = list(_worlds(kinds))
    share = -(-most // len({GroupVersionKind.from_object(obj) for world in worlds for obj in world}))
    written: Counter[GroupVersionKind | None] = Counter()
    for turn in count():
        before = written.total()
        for number, world in enumerate(worlds, start=turn * len(worlds)):
            names = {name_of(obj) for obj in world}
            for obj in world:
                gvk = GroupVersionKind.from_object(obj)
                if gvk is not None and written[gvk] < share and written.total() < most:
                    written[gvk] += 1
                    namespace = f"team-{number % _NAMESPACES}" if kinds[gvk] else ""
                    _write(folder, _own(obj, names, number), namespace, written.total())
        if written.total() in {before, most}:
            return len(written)
    raise AssertionError


def _worlds(kinds: dict[GroupVersionKind, bool]) -> Iterator[list[JSONObject]]:
    """The objects of each case, as far as they are of these kinds, so that references resolve; some of the cases aren't accepted."""
    cases = sorted(path.parent for path in _CASES.glob("*/*/object.yaml"))
    good = [case for case in cases if case.name.startswith("accepts")]
    flawed = iter(sorted(set(cases) - set(good)))
    for number, case in enumerate(good):
        for each in [case, *([next(flawed, case)] if number % _FLAWED == 0 else [])]:
            found = [obj for name in ("object.yaml", "cluster.yaml") for obj in _objects(each / name)]
            world = [obj for obj in found if GroupVersionKind.from_object(obj) in kinds and name_of(obj)]
            if world:
                yield world


def _objects(path: Path) -> Iterator[JSONObject]:
    if path.exists():
        for document in yaml.load_all(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
            if isinstance(document, dict):
                yield from document["items"] if isinstance(document.get("items"), list) else [document]


def _own(value: JSONValue, names: set[str], number: int) -> Any:
    """A value in which the names of the case are replaced by unique ones."""
    if isinstance(value, dict):
        return {key: _own(inner, names, number) for key, inner in value.items() if key != "status"}
    if isinstance(value, list):
        return [_own(inner, names, number) for inner in value]
    return f"{value}-{number}" if value in names else value


def _write(folder: Path, obj: JSONObject, namespace: str, number: int) -> None:
    metadata = {key: value for key, value in obj["metadata"].items() if key != "namespace"}
    placed = {**obj, "metadata": metadata | ({"namespace": namespace} if namespace else {})}
    (folder / namespace).mkdir(exist_ok=True)
    text = yaml.dump(placed, Dumper=yaml.CSafeDumper, sort_keys=False)
    (folder / namespace / f"{number:04}-{obj['kind'].lower()}.yaml").write_text(text, encoding="utf-8")
