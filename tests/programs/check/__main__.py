"""`make check`: formats, writes what is generated, checks style, contracts and types, and runs the tests that a change can reach.

It ends after two minutes on two cores, and says what it didn't do by then. Exit code 1: something failed. 2: git can't say what changed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.house.chosen import OF_FAMILY, WITHOUT_PARAMETERS
from tests.programs.check.changed import GitError, changes
from tests.programs.check.jobs import BIN, Done, Job, Outcome, pytest_job, run, run_all
from tests.programs.check.reached import Reached, reached

_SECONDS: Final = 120.0
_CATALOGUE: Final = "tests/families/test_catalogue.py"
#: The tests that are about one rule each.
_OF_RULES: Final = tuple(f"tests/families/test_{name}.py" for name in ("words", "dependence", "boundaries", "reads"))
_OF_A_FAMILY: Final = ("test_rules_in_situations", "test_rule_boundaries")
#: The contracts' own tests plant imports for more than a minute; `lint-imports` has checked the contracts.
_ARCHITECTURE: Final = tuple(f"tests/architecture/test_{name}.py" for name in ("the_tree", "plain_words", "families", "import_circles"))
#: The tests of them that don't read the imports.
_OF_TEXTS: Final = 2
_ENGINE: Final = "tests/doors/test_engine.py"
#: The tests with a table of all families, to which a new family has to be added, each with a word in the tests' names.
_OF_FAMILIES: Final[Mapping[str, str]] = {
    **{
        f"tests/families/test_{name}.py": "" for name in ("bundled_crds", "engine_questions", "failures_are_told", "fills", "ways_to_write")
    },
    "tests/cli/test_release.py": "test_every_group_of_every_family",
    "tests/architecture/test_upstream_issues_page.py": "test_every_family",
}
_OF_A_DECLARATION: Final = re.compile(r"policies/families/\w+/(?:__init__|family)\.py")
_OF_SETTINGS: Final = re.compile(r"policies/families/\w+/settings\.py")
_SETTINGS: Final = "tests/configuration/test_documentation.py"
_DOORS: Final = (_ENGINE, "tests/doors/test_http.py", "tests/doors/test_command_line.py")
#: Files that the steps before the tests write, so no test needs to compare them.
_GENERATED: Final = re.compile(
    r"docs/(?:families|rules|schemas)/|policies/families/\w+/(?:examples\.yaml|rules/_kinds\.py)|tests/families/(?:dependence|words)/"
    r"|tests/llmkube/rules_in_situations\.yaml|deploy/(?:chart|kustomize|monitoring)/|deploy/[\w-]+\.yaml$"
)
#: A process takes seconds to start, so a few files share one.
_FILES_AT_ONCE: Final = 4


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Check the changes, and print a line for each step."""
    options = _options(arguments)
    deadline = time.monotonic() + options.seconds
    try:
        before = changes(root, options.since)
    except GitError as error:
        print(f"check: {error}", file=sys.stderr)
        return 2
    if not before.digests:
        print(f"Nothing has changed since {before.since}.")
        return 0
    print(f"{_counted(len(before.digests), 'file')} changed since {before.since}", flush=True)
    done = [_told(run(job, root, deadline)) for job in _forming(before.digests)]
    found = reached(path for path in before.digests if not _GENERATED.match(path))
    done += map(_told, run_all([*_writing(before.digests), *_lint(found)], root, deadline))
    after = changes(root, options.since).digests
    for path in sorted(path for path, digest in after.items() if before.digests.get(path) != digest):
        print(f"{'written':8} {path}: read the difference", flush=True)
    if any(each.outcome is Outcome.FAILED for each in done):
        print("The tests weren't run. Correct what failed, and run `make check` again.")
        return 1
    sizes = _counted(len(found.rules), "rule"), _counted(len(found.cases), "case"), _counted(len(found.tests), "test file")
    print(f"{'reached':8} {', '.join(sizes)}", flush=True)
    done += map(_told, run_all([*_named(found, before.digests), *_near(found, before.digests)], root, deadline))
    late = [each.job.title for each in done if each.outcome is Outcome.LATE]
    if late:
        print(f"Not done after {options.seconds:.0f} seconds: {_counted(len(late), 'step')}, from {late[0]} on. `make lint test` does all.")
    return int(any(each.outcome is Outcome.FAILED for each in done))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make check", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--since", default="", help="the revision to compare with; unless given, where the branch left main, origin/HEAD or its upstream"
    )
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="when to end")
    return parser.parse_args(arguments)


def _forming(paths: Iterable[str]) -> Iterator[Job]:
    """Jobs that format the code, and write the table by which rules are found, which all other jobs read."""
    yield Job("format", (str(BIN / "ruff"), "format", "--quiet", "."))
    yield Job("imports in order", (str(BIN / "ruff"), "check", "--fix-only", "--quiet", "."))
    if any("/rules/" in path for path in paths):
        yield Job("kinds of rules", (sys.executable, "-m", "tests.programs.rule_kinds"))


def _writing(paths: Iterable[str]) -> Iterator[Job]:
    """Jobs that write files: the words of families that changed, the generated pages and schemas."""
    found = [path.split("/")[2] for path in paths if path.startswith(("policies/families/", "tests/cases/")) and path.count("/") > 2]
    if named := sorted({name for name in found if (ROOT / "policies" / "families" / name / "family.py").exists()}):
        yield Job(f"words of {', '.join(named)}", (sys.executable, "-m", "tests.programs.words", *named))
    if any(path.startswith(("policies/", "webhook/", "tests/cases/")) for path in paths):
        yield Job("schemas", ("sh", ".ci/generate.sh", str(BIN)))


def _lint(found: Reached) -> Iterator[Job]:
    """Jobs that check the types of modules in which they could be wrong now, and style and import contracts everywhere."""
    chosen = [argument for module in found.modules or () for argument in ("-m", module)]
    if found.modules is None or chosen:
        title = "types" if found.modules is None else f"types of {_counted(len(found.modules), 'module')}"
        yield Job(title, (str(BIN / "mypy"), *chosen))
    yield Job("style", (str(BIN / "ruff"), "check", "--quiet", "."))
    yield Job("import contracts", ("env", "PYTHONPATH=.", str(BIN / "lint-imports")))


def _named(found: Reached, paths: Collection[str]) -> Iterator[Job]:
    """The tests about the reached rules and cases, about the tree, and about families and their settings."""
    files: dict[str, list[str]] = defaultdict(list)
    if found.families:
        files[_CATALOGUE] += [*found.rules, WITHOUT_PARAMETERS]
        files[_ENGINE] += [*found.rules, WITHOUT_PARAMETERS]
    if found.rules:
        families = sorted({case.partition("/")[0] for case in found.cases})
        own = [path for name in families for path in (f"tests/{name}/{file}.py" for file in _OF_A_FAMILY) if (ROOT / path).exists()]
        files |= {file: list(found.rules) for file in (*_OF_RULES, *own)}
        files[_ENGINE] += [f"[{name}/" for name in families]
    for file in _DOORS if found.cases else ():
        files[file] += [f"[{case}]" for case in found.cases]
    if files:
        yield pytest_job("rules and cases", files)
    is_code = any(path.endswith(".py") and not path.startswith("tests/") for path in paths)
    yield pytest_job("architecture", dict.fromkeys(_ARCHITECTURE if is_code else _ARCHITECTURE[:_OF_TEXTS], ()))
    if declared := _declared(paths):
        of_family = [f"{OF_FAMILY}{name}" for name in found.alone]
        yield pytest_job("families", {file: [word] if (word := _OF_FAMILIES.get(file)) else of_family for file in declared})


def _declared(paths: Collection[str]) -> tuple[str, ...]:
    """The tests that compare declarations of families, or of their settings, with what holds for all of them."""
    families = _OF_FAMILIES if any(map(_OF_A_DECLARATION.fullmatch, paths)) else ()
    return (*families, *((_SETTINGS,) if any(map(_OF_SETTINGS.fullmatch, paths)) else ()))


def _near(found: Reached, paths: Collection[str]) -> Iterator[Job]:
    """The other tests, the nearest first; those that the named steps have run are left out, and those about families that didn't change."""
    named = {*_ARCHITECTURE, *((_CATALOGUE,) if found.families else ()), *(_OF_RULES if found.rules else ())}
    named |= {*(_DOORS if found.cases else ()), *(file for file in _declared(paths) if not _OF_FAMILIES.get(file))}
    others = [file for file in found.tests if file not in named and Path(file).stem not in _OF_A_FAMILY]
    for start in range(0, len(others), _FILES_AT_ONCE):
        files = others[start : start + _FILES_AT_ONCE]
        words = [f"{OF_FAMILY}{name}" for name in found.alone]
        chosen = {file: () if file in paths else words for file in files}
        yield pytest_job(" ".join(file.removeprefix("tests/") for file in files), chosen)


def _told(done: Done) -> Done:
    """Print the outcome of a job; for a failed one its output as well."""
    if done.outcome is Outcome.LATE:
        return done
    lines = done.output.strip().splitlines()
    is_test = "pytest" in done.job.command
    said = f": {lines[-1].strip('= ')}" if is_test and lines else f" ({done.seconds:.1f} s)"
    print(f"{done.outcome:8} {done.job.title}{said}", flush=True)
    if done.outcome is Outcome.FAILED:
        print("\n".join(f"         {line}" for line in lines), flush=True)
    return done


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
