"""`make words` writes words but no verdicts: it reports changed verdicts with the case and the rules."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.architecture.plain_words import files
from tests.conftest import ROOT
from tests.doors.cases import CASES, load
from tests.doors.parts import CaseError
from tests.llmkube.test_rule_boundaries import FILES
from tests.programs.words import boundaries, pages
from tests.programs.words.__main__ import main
from tests.programs.words.cases import rewrite
from weighbridge.policies.families import families

#: A case that one rule refuses.
CASE = next(
    case for case in CASES if len(case.expect.get("findings", [])) == 1 and {"message", "unchecked"} & case.expect.keys() == {"message"}
)
RULE = CASE.expect["findings"][0].split()[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the case."""
    return Path(shutil.copytree(CASE.folder, tmp_path / CASE.folder.name))


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that the file has."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_the_words_of_a_case_are_written(folder: Path) -> None:
    before = (folder / "expect.yaml").read_text()
    edit(folder / "expect.yaml", f"{RULE} ", f"{RULE} other.words: ")
    assert rewrite(load(folder)) == []
    assert load(folder).expect == CASE.expect
    assert rewrite(load(folder)) == []
    assert (folder / "expect.yaml").read_text().splitlines()[0] == before.splitlines()[0]


def test_a_case_without_an_expectation_gets_one(folder: Path) -> None:
    (folder / "expect.yaml").unlink()
    with pytest.raises(CaseError, match=r"expect\.yaml: missing; run `make words`"):
        load(folder).expect["allowed"]
    assert rewrite(load(folder)) == []
    assert load(folder).expect == {key: CASE.expect[key] for key in CASE.expect if key in {"allowed", "findings", "notes"}}
    sentence = folder.name.replace("-", " ").capitalize()
    assert (folder / "expect.yaml").read_text().startswith(f"# {sentence}.\nallowed: false\n")
    assert rewrite(load(folder)) == []


@pytest.mark.parametrize(("verb", "meant"), [("accepts", "is accepted"), ("warns-of", "is warned of"), ("notes", "is noted")])
def test_a_case_with_another_verdict_than_its_name_says_gets_no_expectation(folder: Path, verb: str, meant: str) -> None:
    named = folder.rename(folder.with_name(f"{verb}-what-is-refused"))
    (named / "expect.yaml").unlink()
    (said,) = rewrite(load(named))
    assert said.startswith(
        f"refused, and by its name the case {meant}; change the objects, the rule or the name\n    {CASE.expect['findings'][0]}"
    )
    assert not (named / "expect.yaml").exists()


def test_another_rule_is_reported_and_nothing_is_written(folder: Path) -> None:
    edit(folder / "expect.yaml", f"{RULE} ", "LLMKUBE-999 ")
    before = (folder / "expect.yaml").read_text()
    differing = f"findings: {RULE} not expected; LLMKUBE-999 expected but missing"
    assert rewrite(load(folder)) == [f"{differing}\n    {CASE.expect['findings'][0]}"]
    assert (folder / "expect.yaml").read_text() == before


def test_another_verdict_and_what_lacks_a_fact_are_reported(folder: Path) -> None:
    edit(folder / "expect.yaml", "allowed: false", f"allowed: true\nunchecked: [{RULE}]")
    verdict = f"allowed: false, but true is expected\n    {CASE.expect['message']}"
    assert rewrite(load(folder)) == [f"unchecked: {RULE} expected but missing", verdict]


def test_why_a_rule_lacks_a_fact_is_reported() -> None:
    case = next(case for case in CASES if case.expect.get("unchecked"))
    (said,) = rewrite(replace(case, expect={key: value for key, value in case.expect.items() if key != "unchecked"}))
    first, *reasons = said.splitlines()
    rules = case.expect["unchecked"]
    assert first == f"unchecked: {', '.join(rules)} not expected"
    assert [line.split()[0] for line in reasons] == rules
    assert all(len(line.split()) > 3 for line in reasons)


def test_the_words_of_an_entry_are_written_and_its_verdict_is_reported(tmp_path: Path) -> None:
    upstream = FILES[0].read_text()
    entries = upstream.split("---\n")
    speaking = [number for number, entry in enumerate(entries) if "says:\n- 'error " in entry][:2]
    file = tmp_path / "entries.yaml"
    words, verdict = speaking
    entries[words] = entries[words].replace("says:\n- 'error ", "says:\n- 'error of other words, ")
    file.write_text("---\n".join(entries))
    assert list(boundaries.rewrite(file)) == []
    assert file.read_text() == upstream

    entries[verdict] = entries[verdict].replace("says:\n- 'error ", "says:\n- 'note ")
    file.write_text("---\n".join(entries))
    (line,) = boundaries.rewrite(file)
    assert line.startswith(f"entries.yaml: entry {verdict + 1}, LLMKUBE-")
    assert line.endswith(": error not expected; note expected but missing")
    assert file.read_text().split("---\n")[verdict] == entries[verdict]


def test_a_page_is_written_whole() -> None:
    family = next(family for family in families() if family.name == "inference_extension")
    assert pages.page(family) == pages.file_of(family).read_text(encoding="utf-8")


def test_contributing_says_who_writes_each_file_that_tests_compare_with() -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## Files that tests compare with\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = tuple(re.findall("`(.+?)`", " ".join(rows)))
    data = [path for path in files() if path.startswith("tests/") and Path(path).suffix in {".yaml", ".json", ".md", ".txt"}]
    assert [path for path in data if not path.startswith(("tests/cases/", *named))] == []
    assert [name for name in named if not any(path.startswith(name) for path in data)] == []


def test_a_family_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["llmcube"]) == 2
    assert "llmcube: no such family; the families are aim, " in capsys.readouterr().err
