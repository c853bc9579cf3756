"""`make check`: formats, writes what is generated, checks style, contracts and types, and runs the tests that a change can reach.

It ends after two minutes on two cores, and lists what wasn't run by then. What failed in the last run is run first. Exit code 1: something
failed. 2: git can't say what changed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from tests.conftest import ROOT
from tests.house.chosen import OF_FAMILY, WITHOUT_PARAMETERS
from tests.programs.check.changed import GitError, changes
from tests.programs.check.jobs import BIN, Done, Job, Outcome, run, run_all
from tests.programs.check.kept import Kept, Record, record_of
from tests.programs.check.near import TestJobs
from tests.programs.check.reached import Reached, reached

_SECONDS: Final = 120.0
_COLUMNS: Final = 120
_CATALOGUE: Final = "tests/families/test_catalogue.py"
#: The tests that are about one rule each.
_OF_RULES: Final = tuple(f"tests/families/test_{name}.py" for name in ("words", "dependence", "boundaries", "reads"))
#: One test goes through all rules at once, so no rule is in its name.
_OF_ALL_RULES: Final = ("tests/families/test_reads.py", "test_each_rule_reads_what_it_says_and_nothing_else")
#: The test that each rule is exported, or that there is a reason why not; it is about a family.
_EXPORTED: Final = "tests/export/test_reasons.py"
_OF_A_FAMILY: Final = ("test_rules_in_situations", "test_rule_boundaries")
#: The contracts' own tests plant imports for more than a minute; `lint-imports` has checked the contracts.
_ARCHITECTURE: Final = tuple(f"tests/architecture/test_{name}.py" for name in ("the_tree", "plain_words", "families", "import_circles"))
#: How many of these files, from the first on, don't read the imports.
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
    r"docs/(?:families|rules|schemas)/|policies/families/\w+/rules/_kinds\.py|tests/families/words/"
    r"|deploy/(?:chart|kustomize|monitoring)/|deploy/[\w-]+\.yaml$"
)


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
    done += map(_told, run_all([*_writing(before.digests), *_lint()], root, deadline))
    after = changes(root, options.since).digests
    for path in sorted(path for path, digest in after.items() if before.digests.get(path) != digest):
        print(f"{'written':8} {path}: read the difference", flush=True)
    if any(each.outcome is Outcome.FAILED for each in done):
        print("The tests weren't run. Correct what failed, and run `make check` again.")
        return 1
    sizes = _counted(len(found.rules), "rule"), _counted(len(found.cases), "case"), _counted(len(found.tests), "test file")
    print(f"{'reached':8} {', '.join(sizes)}", flush=True)
    done += _tests(found, before.digests, root, deadline)
    for line in _ending(done, options.seconds):
        print(line)
    return int(any(each.outcome is Outcome.FAILED for each in done))


def _tests(found: Reached, paths: Collection[str], root: Path, deadline: float) -> list[Done]:
    """Check the types and run the tests, and keep for the next run which of them failed and how long they took."""
    kept = Kept.of(root)
    with TemporaryDirectory() as folder:
        make = TestJobs(Path(folder), kept)
        named, near = list(_named(found, paths, make)), _near(found, paths)
        files = {file: words for job in named for file, words in job.files.items()} | near
        own = {file: near.pop(file) for file in list(near) if file in paths}
        changed = [make.job("changed tests", own)] if own else []
        jobs = [*_types(found), *make.failed_before(files), *changed, *named, *make.near(near)]
        done = [_told(each) for each in run_all(jobs, root, deadline, following=make.rest_of)]
        kept.keep(root, [each.job for each in done])
    return done


def _ending(done: Sequence[Done], seconds: float) -> Iterator[str]:
    """What wasn't done when the time was over."""
    jobs = [each.job for each in done if each.outcome is Outcome.LATE]
    yield from (f"{Outcome.LATE:8} {job.title}" for job in jobs if not job.files)
    folders = Counter(file.removeprefix("tests/").rpartition("/")[0] or "." for file in {file for job in jobs for file in job.files})
    if folders:
        listed = ", ".join(f"{folder} ({count})" for folder, count in sorted(folders.items()))
        tests = f"{Outcome.LATE:8} {_counted(folders.total(), 'file')} of tests: {listed}"
        yield from wrap(tests, _COLUMNS, subsequent_indent=" " * 9)
    late = sum(each.outcome in {Outcome.LATE, Outcome.CUT} for each in done)
    if late:
        failed = sum(each.outcome is Outcome.FAILED for each in done)
        said = f"{_counted(failed, 'step')} failed." if failed else "Nothing failed."
        ran = f"Not complete: {len(done) - late} of {_counted(len(done), 'step')} ran in {seconds:.0f} seconds. {said}"
        yield f'{ran} To run the rest: make check ARGS="--seconds {5 * seconds:.0f}"'


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
        yield Job("schemas", (sys.executable, "-m", "tests.programs.generated"))


def _lint() -> Iterator[Job]:
    """Style and import contracts everywhere."""
    yield Job("style", (str(BIN / "ruff"), "check", "--quiet", "."))
    yield Job("import contracts", ("env", "PYTHONPATH=.", str(BIN / "lint-imports")))


def _types(found: Reached) -> Iterator[Job]:
    """Types where they could be wrong now. That takes as long as many tests, so they run next to it."""
    chosen = [argument for module in found.modules or () for argument in ("-m", module)]
    if found.modules is None or chosen:
        title = "types" if found.modules is None else f"types of {_counted(len(found.modules), 'module')}"
        yield Job(title, (str(BIN / "mypy"), *chosen))


def _named(found: Reached, paths: Collection[str], make: TestJobs) -> Iterator[Job]:
    """The tests that are about the rules and cases that were reached, those of the tree, and those of families and their settings."""
    files: dict[str, list[str]] = defaultdict(list)
    families = sorted({case.partition("/")[0] for case in found.cases})
    if found.families:
        files[_CATALOGUE] += [*found.rules, WITHOUT_PARAMETERS]
        files[_ENGINE] += [*found.rules, WITHOUT_PARAMETERS]
    if found.rules:
        own = [path for name in families for path in (f"tests/{name}/{file}.py" for file in _OF_A_FAMILY) if (ROOT / path).exists()]
        files |= {file: list(found.rules) for file in (*_OF_RULES, *own)}
        files[_OF_ALL_RULES[0]].append(_OF_ALL_RULES[1])
        files[_EXPORTED] += [f"[{name}]" for name in found.families]
    for file in _DOORS if found.cases else ():
        files[file] += [f"[{case}]" for case in found.cases]
    if declared := _declared(paths):
        of_family = [f"{OF_FAMILY}{name}" for name in found.alone]
        yield make.job("families", {file: [word] if (word := _OF_FAMILIES.get(file)) else of_family for file in declared})
    if files:
        yield make.job("rules and cases", files)
    if found.rules and families:
        yield make.job(f"all cases of {', '.join(families)}", {_ENGINE: [f"[{name}/" for name in families]})
    is_code = any(path.endswith(".py") and not path.startswith("tests/") for path in paths)
    yield make.job("architecture", dict.fromkeys(_ARCHITECTURE if is_code else _ARCHITECTURE[:_OF_TEXTS], ()))


def _declared(paths: Collection[str]) -> tuple[str, ...]:
    """The tests that compare declarations of families, or of their settings, with what holds for all of them."""
    families = _OF_FAMILIES if any(map(_OF_A_DECLARATION.fullmatch, paths)) else ()
    return (*families, *((_SETTINGS,) if any(map(_OF_SETTINGS.fullmatch, paths)) else ()))


def _near(found: Reached, paths: Collection[str]) -> dict[str, Sequence[str]]:
    """The other files of tests, the nearest first, without those that the named steps run and those about families that didn't change."""
    named = {*_ARCHITECTURE, *((_CATALOGUE,) if found.families else ()), *(_OF_RULES if found.rules else ())}
    named |= {*(_DOORS if found.cases else ()), *(file for file in _declared(paths) if not _OF_FAMILIES.get(file))}
    others = [file for file in found.tests if file not in named and Path(file).stem not in _OF_A_FAMILY]
    words = [f"{OF_FAMILY}{name}" for name in found.alone]
    return {file: () if file in paths else words for file in others}


def _told(done: Done) -> Done:
    """Print the result of a job, and the output of a failed one. An interrupted job has failed if one of its tests has."""
    if done.outcome is Outcome.LATE:
        # There may be dozens, so the end lists them in short.
        return done
    record, lines = record_of(done.job), done.output.strip().splitlines()
    outcome = Outcome.FAILED if record.failed else done.outcome
    print(f"{outcome:8} {done.job.title}{_said(done, record, lines)}", flush=True)
    if outcome is Outcome.FAILED:
        print("\n".join(f"         {line}" for line in lines), flush=True)
    return replace(done, outcome=outcome)


def _said(done: Done, record: Record, lines: Sequence[str]) -> str:
    """The end of a job's line: the counts of its tests, or its seconds."""
    if done.outcome is Outcome.CUT and done.job.files:
        begun = {file: count for file in done.job.files if file not in record.states and (count := record.count(file))}
        cut = (f", and {_counted(count, 'test')} of {file}" for file, count in begun.items())
        return f": interrupted; {len(record.states)} of {_counted(len(done.job.files), 'file')} ran{''.join(cut)}"
    return f": {lines[-1].strip('= ')}" if done.job.files and lines else f" ({done.seconds:.1f} s)"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
