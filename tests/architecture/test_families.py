"""Families don't know each other, no other code names one, and one is only loaded when a request names one of its groups."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.architecture.imports import ROOT, modules, project_graph
from tests.architecture.names import names_in
from weighbridge.policies.config.sections import key_of
from weighbridge.policies.families import families, family_groups, family_names

FAMILIES = "weighbridge.policies.families"


def family_in(module: str) -> str:
    """The family that a module belongs to; empty for the rest of the project."""
    return next((name for name in family_names() if f"{module}.".startswith(f"{FAMILIES}.{name}.")), "")


def words_of_families() -> frozenset[str]:
    """What identifies a family: its folder, its key in the configuration, its title, its API groups."""
    titles = (family.title for family in families())
    return frozenset([*family_names(), *map(key_of, family_names()), *titles, *family_groups()])


def test_nothing_but_a_family_names_it() -> None:
    others = [path for module, path in modules().items() if not family_in(module)]
    assert [found for path in others for found in names_in(path, words_of_families())] == []


@pytest.mark.parametrize(
    "line",
    [
        "from weighbridge.policies.families.llmkube import operator",
        "from weighbridge.policies.families import llmkube",
        "import weighbridge.policies.families.llmkube.settings as s",
        "value = config.llmkube",
        "value = Configuration(inference_extension=1)",
        "value = {'inference.llmkube.dev': 1}",
        "def late():\n    key = 'inferenceExtension'",
    ],
)
def test_a_name_is_found_wherever_it_stands(tmp_path: Path, line: str) -> None:
    (tmp_path / "module.py").write_text(f'"""Speaks of llmkube, as words may."""\n{line}\n')
    assert len(list(names_in(tmp_path / "module.py", words_of_families()))) == 1


def crossings(graph: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """The imports from one family into another, or from the code that families share into a family."""
    edges = ((name, other) for name, imported in graph.items() if name.startswith(FAMILIES) for other in imported)
    return [(name, other) for name, other in edges if family_in(other) not in {"", family_in(name)}]


def test_families_know_nothing_of_each_other_and_what_they_share_of_none() -> None:
    assert crossings(project_graph()) == []


@pytest.mark.parametrize("own", ["inference_extension.versions", "references"])
def test_an_import_of_another_family_is_found(own: str) -> None:
    planted = (f"{FAMILIES}.{own}", f"{FAMILIES}.llmkube.operator")
    assert crossings({planted[0]: [planted[1], f"{FAMILIES}.family"]}) == [planted]


def test_every_group_has_one_family_whose_kinds_are_in_it() -> None:
    declared = [group for name in family_names() for group in importlib.import_module(f"{FAMILIES}.{name}").GROUPS]
    assert sorted(declared) == sorted({kind.gvk.group for family in families() for kind in family.kinds})


_LOADED = "import sys; print(*sys.modules)"


def families_loaded_by(code: str) -> set[str]:
    """The families of which some code imports more than the declaration."""
    done = subprocess.run([sys.executable, "-c", f"{code}; {_LOADED}"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {family_in(name) for name in done.stdout.split() if name != f"{FAMILIES}.{family_in(name)}"} - {""}


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import weighbridge.policies.verdict.engine, weighbridge.policies.config", set()),
        ("from weighbridge.policies.families import family_of; family_of('apps')", set()),
        ("from weighbridge.policies.families import family_of; family_of('inference.networking.x-k8s.io')", {"inference_extension"}),
    ],
    ids=["engine", "another-group", "its-group"],
)
def test_a_family_is_loaded_by_the_group_that_is_asked_for(code: str, loaded: set[str]) -> None:
    assert families_loaded_by(code) == loaded


def test_settings_are_read_without_the_rest_of_a_family() -> None:
    code = "from weighbridge.policies.families.configuration import sections; sections()"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    of_families = {name for name in done.stdout.split() if family_in(name)}
    assert {name.rpartition(".")[2] for name in of_families} <= {"settings", *family_names()}
