"""The conformance vectors: the end of a run prints how many of each file agreed, and a gate needs as many as before.

A vector counts once an assertion about it has held; a vector in the file that no assertion reaches counts as not compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from tests.conftest import CountVectors

#: The minimum number of compared vectors for each file. A commit that adds vectors raises it; a commit that lowers it needs a reason.
EXPECTED: Final = {
    "aim admission": 1235,
    "aim rules": 1154,
    "aim services": 277,
    "aim-kaiwo admission": 348,
    "aim-kaiwo rules": 329,
    "aim-kaiwo services": 78,
    "cel_compile": 1432,
    "cel_compile_errors": 92,
    "cel_eval": 807,
    "cel_validate": 1214,
    "celspec": 1183,
    "celspec_verdicts": 1615,
    "coerce": 95,
    "crd_acceptance": 124,
    "crd_cases": 965,
    "crd_schemas": 94,
    "default": 13,
    "formats": 341,
    "listtype": 17,
    "llmkube admission head": 1427,
    "llmkube admission v0.9.5": 606,
    "LLMKube status of Models": 975,
    "LLMKube storage of pods": 669,
    "llmkube.jsonl.gz launches": 669,
    "objectmeta": 74,
    "operators/llmkube": 1013,
    "operators/llmkube others": 52,
    "operators/llmkube proxies": 10,
    "operators/llmkube rules": 845,
    "operators/llmkube webhooks": 52,
    "probe_costs": 61,
    "probe_exprs": 223,
    "probe_schema": 116,
    "prune": 69,
    "prune_nulls": 4,
    "schema_validate": 139,
    "schema_validate_update": 11,
    "yaml_to_json": 61,
}

#: The name under which a process of pytest-xdist passes on its counts.
_KEY: Final = "vectors"
_COUNTS: Final = pytest.StashKey[dict[str, tuple[int, int]]]()


@pytest.fixture(scope="session")
def count_vectors(pytestconfig: pytest.Config) -> CountVectors:
    """Counts the vectors of a file, after all of them have agreed, for the last lines of the run."""
    counts = pytestconfig.stash.setdefault(_COUNTS, {})

    def count(name: str, compared: int, cases: int) -> None:
        _add(counts, name, compared, cases)

    return count


def _add(counts: dict[str, tuple[int, int]], name: str, compared: int, cases: int) -> None:
    before = counts.get(name, (0, 0))
    counts[name] = before[0] + compared, before[1] + cases


def too_few(counts: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """The files of which fewer vectors were compared than are expected."""
    for name, expected in EXPECTED.items():
        compared = counts.get(name, (0, 0))[0]
        if compared < expected:
            yield f"{name}: {compared} of {expected}"


def _is_gate(config: pytest.Config) -> bool:
    """Whether all tests run, and nothing may be missing."""
    chosen = any(
        config.getoption(option, None) for option in ("keyword", "markexpr", "deselect", "collectonly", "lf", "ignore", "ignore_glob")
    )
    is_whole = config.args_source is not pytest.Config.ArgsSource.ARGS and not chosen
    return is_whole and os.environ.get("CI") == "true"


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over the counts of a process of pytest-xdist."""
    counts = node.config.stash.setdefault(_COUNTS, {})
    for name, (compared, cases) in getattr(node, "workeroutput", {}).get(_KEY, {}).items():
        _add(counts, name, compared, cases)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a gate in which fewer vectors were compared than are expected; one of several processes passes its counts on."""
    counts = session.config.stash.get(_COUNTS, {})
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_KEY] = counts
        return
    if exitstatus == pytest.ExitCode.OK and _is_gate(session.config) and any(too_few(counts)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show how many vectors agreed, file by file."""
    counts = config.stash.get(_COUNTS, {})
    if counts:
        terminalreporter.section("conformance vectors that agree")
    for name, (compared, cases) in sorted(counts.items()):
        left_out = f", {cases - compared} not compared" if compared < cases else ""
        terminalreporter.write_line(f"{name:30} {compared:5} of {cases}{left_out}")
    if _is_gate(config) and (lacking := list(too_few(counts))):
        terminalreporter.write_line(
            f"fewer vectors were compared than are expected (tests/house/vectors.py): {'; '.join(lacking)}", red=True
        )
