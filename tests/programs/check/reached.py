"""What a change can reach: rules, cases, families and files of tests.

Modules reach what imports them, by the import graph. Modules that import others by name at run time, as the list of families does, count as
importing everything in their package. A file that isn't Python reaches what names it. Rules are run by nearly every test, so a changed rule
reaches the tests that name it, and the cases of its family. Its form in CEL reaches the tests of exported rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Final

import grimp
from importlinter.api import read_configuration

from tests.conftest import ROOT
from tests.doors.cases import CASES
from tests.programs.mutants.responsible import responsible_tests
from weighbridge.policies.families import families

#: The rules of a family in CEL, and the tests of exported rules.
_NATIVE: Final = re.compile(r"policies/families/\w+/native(?:/\w+)?\.py")
_OF_EXPORTS: Final = re.compile(r"tests/(?:export/test_\w+|doors/test_exports)\.py")
#: Up to this many rules are tested by their names; if there are more, only the import graph chooses the tests.
MOST_RULES: Final = 30
_RULE_FILE: Final = re.compile(r"policies/families/(\w+)/rules/(?:.*/)?([a-z]+_\d{3})_\w+\.py")
_IN_RULES: Final = re.compile(r"policies/families/\w+/rules/")
_OF_FAMILY: Final = re.compile(r"(?:policies/families|tests/cases)/(\w+)/")
_DECLARATION: Final = re.compile(r"policies/families/\w+/__init__\.py")
_CASE_FILE: Final = re.compile(r"tests/cases/(\w+/[^/]+)/")
#: The other files on which types depend.
_OF_TYPES: Final = frozenset({"pyproject.toml", "requirements.lock"})
#: The distance of a module that is found at run time, which is greater than that of an imported one.
_AT_RUN_TIME: Final = 10


@dataclass(frozen=True, slots=True)
class Reached:
    """Everything that a change reaches; the files of tests are in the order of nearness.

    `modules` are those whose types could be wrong now: the changed modules, and those that import them, directly or through others. It is
    `None` if that isn't known, because a module is gone or the type checker's settings have changed. `alone` are the changed families if no
    code outside of families has changed, and so no verdict of other families; else it is empty.
    """

    families: tuple[str, ...]
    rules: tuple[str, ...]
    cases: tuple[str, ...]
    tests: tuple[str, ...]
    modules: tuple[str, ...] | None
    alone: tuple[str, ...] = ()


class Tree:
    """The modules of the project and what imports them."""

    def __init__(self) -> None:
        packages = [*read_configuration(str(ROOT / "pyproject.toml"))["session_options"]["root_packages"], "tests", "deploy"]
        self._graph = grimp.build_graph(*packages, exclude_type_checking_imports=False, cache_dir=None)
        # The package of the project consists of the folders at the top.
        roots = chain.from_iterable([each] if (ROOT / each).is_dir() else self._graph.find_children(each) for each in packages)
        tops = {package.rpartition(".")[2]: package for package in roots}
        #: The modules by their paths, and the paths by their modules.
        self.modules: dict[str, str] = {}
        for top, package in tops.items():
            for path in sorted((ROOT / top).rglob("*.py")):
                below = path.relative_to(ROOT / top).with_suffix("").parts
                name = ".".join([package, *(below[:-1] if below[-1] == "__init__" else below)])
                if name in self._graph.modules:
                    self.modules[path.relative_to(ROOT).as_posix()] = name
        self.paths = {module: path for path, module in self.modules.items()}

    def distances(self, start: Iterable[str], *, at_run_time: bool = False) -> dict[str, int]:
        """The modules that import any of these, directly or through others, each with the number of imports between."""
        found = dict.fromkeys(start, 0)
        waiting = list(found)
        for module in waiting:
            for importer in sorted(self._importers(module, at_run_time)):
                if importer not in found:
                    found[importer] = found[module] + 1
                    waiting.append(importer)
        return found

    def _importers(self, module: str, at_run_time: bool) -> set[str]:
        importers = self._graph.find_modules_that_directly_import(module)
        if at_run_time:
            importers |= {listing for package, listing in self._listings if module.startswith(f"{package}.")}
        return importers

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each module."""
        return {module: (ROOT / path).read_text(encoding="utf-8") for module, path in self.paths.items()}

    @cached_property
    def _listings(self) -> list[tuple[str, str]]:
        """The packages out of which modules are imported by name, each with the module that does."""
        listing = (module for module, text in self.texts.items() if "import_module(" in text and not module.startswith("tests."))
        return [(module if self.paths[module].endswith("__init__.py") else module.rpartition(".")[0], module) for module in listing]

    def naming(self, path: str) -> list[str]:
        """The modules to which a file that isn't Python belongs.

        In a package these are the modules that name the file or a folder on the way to it, or else all of its modules. A file for people or
        for a cluster, as in `docs` and `deploy`, belongs to the tests that name both the file and its folder, or else only the file.
        """
        file = Path(path)
        package = next((folder.as_posix() for folder in file.parents if f"{folder.as_posix()}/__init__.py" in self.modules), "")
        if package and file.parts[0] != "deploy":
            beside = [module for module, other in self.paths.items() if Path(other).parent.as_posix() == package]
            return self._with_words(beside, file.relative_to(package).parts, any) or beside
        tests = [module for module in self.paths if module.startswith("tests.")]
        return self._with_words(tests, [file.name, file.parent.name], all) or self._with_words(tests, [file.name], any)

    def _with_words(self, modules: Iterable[str], words: Sequence[str], which: Callable[[Iterable[bool]], bool]) -> list[str]:
        patterns = [re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-])") for word in words if word]
        return [module for module in modules if which(bool(pattern.search(self.texts[module])) for pattern in patterns)]


def reached(paths: Iterable[str], tree: Tree | None = None) -> Reached:
    """What the change of these files reaches."""
    tree = tree or Tree()
    paths = list(paths)
    known = {rule.id.lower().replace("-", "_"): rule.id for family in families() for rule in family.rules()}
    cases = [match[1] for path in paths if (match := _CASE_FILE.match(path))]
    ids = _rules(paths, known)
    modules = {path: _start(tree, path, is_rule=bool(_rules([path], known))) for path in paths}
    near = tree.distances(chain(*modules.values()))
    far = tree.distances(chain(*(found for path, found in modules.items() if not _IN_RULES.match(path))), at_run_time=True)
    # The module that starts the program lies outside of the folders at the top.
    imported = _rules((tree.paths[module] for module in near if module in tree.paths), known)
    rules = sorted({*ids, *imported}) if len(imported) <= MOST_RULES else sorted(ids)
    speaking = {rule: {case.id for case in CASES if rule in str(case.expect)} for rule in rules}
    named = {match[1] for path in paths if (match := _OF_FAMILY.match(path))}
    names = [family.name for family in families()]
    # A new family has a line in the contract about the rooms of families.
    neutral = {"pyproject.toml"} if any(map(_DECLARATION.fullmatch, paths)) else set[str]()
    is_alone = all(path in neutral or _is_of_a_family(path, names, tree) for path in paths)
    alone = tuple(name for name in names if name in named) if is_alone else ()
    others = tuple(f"tests/{name}/" for name in names if name not in alone) if alone else ()
    return Reached(
        families=tuple(name for name in names if name in named),
        rules=tuple(rules),
        cases=tuple(case.id for case in CASES if case.id in set(cases).union(*speaking.values())),
        tests=tuple(test for test in _tests(tree, paths, near, far) if test in paths or not test.startswith(others)),
        modules=_modules(tree, paths),
        alone=alone,
    )


def _is_of_a_family(path: str, names: Iterable[str], tree: Tree) -> bool:
    """Whether a file belongs to one family as code, case or test, or can't change other families: a page, or a file of tests that nothing
    imports.
    """
    own = (f"{folder}/{name}/" for name in names for folder in ("policies/families", "tests/cases", "tests"))
    if path.startswith(("docs/", *own)) or path.endswith(".md"):
        return True
    return path.startswith("tests/") and path in tree.modules and len(tree.distances([tree.modules[path]])) == 1


def _modules(tree: Tree, paths: Iterable[str]) -> tuple[str, ...] | None:
    changed = [path for path in paths if path.endswith(".py") or path in _OF_TYPES]
    if any(path not in tree.modules for path in changed):
        return None
    return tuple(sorted(tree.distances(tree.modules[path] for path in changed)))


def _rules(paths: Iterable[str], known: Mapping[str, str]) -> set[str]:
    """The rules whose files are among these."""
    return {known[match[2]] for path in paths if (match := _RULE_FILE.fullmatch(path)) and match[2] in known}


def _start(tree: Tree, path: str, *, is_rule: bool) -> list[str]:
    """The modules that a file changes: none where the tests are chosen by names."""
    if is_rule or _CASE_FILE.match(path):
        return []
    if _NATIVE.fullmatch(path):
        return [module for test, module in tree.modules.items() if _OF_EXPORTS.fullmatch(test)]
    if path.endswith(".py"):
        return [tree.modules[path]] if path in tree.modules else []
    return tree.naming(path)


def _tests(tree: Tree, paths: Collection[str], near: Mapping[str, int], far: Mapping[str, int]) -> list[str]:
    """The files of tests, the nearest first: those that import what changed, then those that are responsible for its room, then others.

    Among these, tests that changed themselves or are called like a changed module come first, then those that name one, as they do that
    choose a format.
    """
    rooms = {room for path in paths if path.startswith(("policies/", "webhook/", "certs/")) for room in responsible_tests(path)}
    namesakes = {f"test_{Path(path).stem}" for path in paths}
    changed = sorted({Path(path).stem for path in paths if path.endswith(".py") and not path.startswith("tests/")})
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, changed))})\b")

    def rank(module: str) -> tuple[bool, bool, bool, bool, int, str]:
        path, distance = tree.paths[module], near.get(module, far.get(module, 0) + _AT_RUN_TIME)
        is_responsible = any(path == room or path.startswith(f"{room}/") for room in rooms)
        is_own = path in paths or Path(path).stem in namesakes
        is_naming = bool(changed) and names.search(tree.texts[module]) is not None
        return distance > 1 and not is_responsible, distance > 1, not is_own, not is_naming, distance, path

    found = {module for module in (*near, *far) if Path(tree.paths.get(module, "")).name.startswith("test_")}
    return [tree.paths[module] for module in sorted(found, key=rank)]
