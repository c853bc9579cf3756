"""The entry of `expectedNodes` with which a refusal ends: pasted into the configuration, it turns the refusal into a warning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.doors.cases import CASES, Case
from tests.yaml_documents import read
from weighbridge.policies.config.expected import entry_text
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cli.commands import cli

HARDWARE = {"LLMKUBE-008", "LLMKUBE-082"}


def errors(decision: Decision) -> set[str]:
    return {finding.rule for finding in decision.findings if finding.severity is Severity.ERROR}


def _refused() -> Iterator[tuple[Case, Decision]]:
    """The cases that one of the two rules refuses, with the refusals."""
    for case in CASES:
        # No entry is offered for a node that the limit of its pool prevents.
        is_limited = "karpenter.sh/nodepool" in str(case.config)
        if not is_limited and not case.expect["allowed"] and HARDWARE & {text.split()[0] for text in case.expect.get("findings", [])}:
            decision = decide(case.request(), case.facts(), case.configuration())
            # A missing claim has nothing to do with hardware.
            if any(f.rule in HARDWARE and f.severity is Severity.ERROR and "wait for" not in f.message for f in decision.findings):
                yield case, decision


REFUSED = list(_refused())


def pasted(case: Case, written: str) -> dict[str, Any]:
    """The case's configuration with the entry in it."""
    entry = read(written)
    config = dict(case.config or {})
    config["expectedNodes"] = {**config.get("expectedNodes", {}), **entry["expectedNodes"]}
    return config


def test_every_refusal_ends_with_an_entry() -> None:
    assert len(REFUSED) > 15
    assert [case.folder.name for case, decision in REFUSED if "expectedNodes: " not in decision.message] == []


@pytest.mark.parametrize(("case", "decision"), REFUSED, ids=[case.folder.name for case, _ in REFUSED])
def test_the_entry_that_ends_a_refusal_allows_what_was_refused(case: Case, decision: Decision) -> None:
    written = decision.message[decision.message.index("expectedNodes: ") :]
    assert "\n" not in written
    again = decide(case.request(), case.facts(), parse(pasted(case, written)))
    assert errors(again) == errors(decision) - HARDWARE
    assert errors(again) or again.allowed


@pytest.mark.parametrize(("case", "decision"), REFUSED[:3], ids=[case.folder.name for case, _ in REFUSED[:3]])
def test_the_entry_can_be_copied_from_the_command_line_too(case: Case, decision: Decision) -> None:
    around = [argument for part in ("cluster", "config") if (path := case.file(part)) for argument in (f"--{part}", str(path))]
    told = CliRunner().invoke(cli, ["dry-run", str(case.file("object")), *around], standalone_mode=False).stdout
    lines = told.splitlines()
    start = next(number for number, line in enumerate(lines) if line.strip() == "expectedNodes:")
    block = [line for line in lines[start:] if line.startswith("        ")]
    assert read("\n".join(block)) == read(decision.message[decision.message.index("expectedNodes: ") :])


def test_an_entry_takes_no_name_that_is_taken() -> None:
    case, decision = REFUSED[0]
    first = pasted(case, decision.message[decision.message.index("expectedNodes: ") :])
    name = next(iter(first["expectedNodes"]))
    held = replace(case, config={**(case.config or {}), "expectedNodes": {name: {}}})
    again = decide(held.request(), held.facts(), held.configuration())
    assert f"{name}-2: " in again.message


@given(
    st.text(min_size=1, max_size=20),
    st.dictionaries(
        st.text(min_size=1, max_size=10), st.text(max_size=10) | st.sampled_from(["true", "no", "1e3", "0o7", "null", "~", "5"]), max_size=4
    ),
    st.dictionaries(st.text(min_size=1, max_size=10), st.integers(0, 2**40), max_size=3),
)
def test_an_entry_says_in_yaml_what_is_meant(name: str, labels: dict[str, str], allocatable: dict[str, int]) -> None:
    written = entry_text(name, labels, allocatable)
    parts = {"labels": labels, "allocatable": allocatable}
    assert read(written) == {"expectedNodes": {name: {key: value for key, value in parts.items() if value}}}
    assert "\n" not in written
