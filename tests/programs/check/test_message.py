"""git's hook checks the form of a commit's message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.check.message import faults, main

BODY = "\n\nA reader finds them by name."


@pytest.mark.parametrize(
    "message",
    [
        f"Sort the rules by their names{BODY}",
        f"# comment\nSort the rules{BODY}\n# Please enter the commit message\n# ---- >8 ----\ndiff --git a b",
        f"{'s' * 60}{BODY}",
        "Merge the rules of a changed source",
        "fixup! Sort the rules by their names",
    ],
)
def test_a_message_in_form_passes(message: str) -> None:
    assert list(faults(message)) == []


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (f"{'s' * 61}{BODY}", "the subject has 61 characters; write at most 60"),
        (f"Sort the rules.{BODY}", "the subject ends with a full stop; leave it out"),
        (f"Sorted the rules{BODY}", '"Sorted" is no imperative; write what the commit does, as in "Add", "Read", "Say"'),
        (f"Sorting the rules{BODY}", '"Sorting" is no imperative; write what the commit does, as in "Add", "Read", "Say"'),
        ("Sort the rules\nby their names", "there is no blank line after the subject"),
        ("Sort the rules", "there is no body; say why, after a blank line"),
        ("Sort the rules\n\nSigned-off-by: N <n@example.com>", "there is no body; say why, after a blank line"),
    ],
)
def test_what_is_wrong_with_a_message_is_said(message: str, fault: str) -> None:
    assert list(faults(message)) == [fault]


def test_a_fault_ends_the_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("Sort the rules\n")
    assert main(str(file)) == 1
    assert capsys.readouterr().err == "commit message: there is no body; say why, after a blank line\n"
    file.write_text(f"Sort the rules{BODY}\n")
    assert main(str(file)) == 0
