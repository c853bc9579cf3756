"""Generated files are current, and the catalogue can be printed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.yaml_documents import read_all
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.verdict.general_rules import GENERAL_RULES
from weighbridge.webhook.cli.pages.rules import anchor_of, file_of
from weighbridge.webhook.configuration.catalogue import trouble_with_rule
from weighbridge.webhook.settings.rule_names import trouble_with_id
from weighbridge.webhook.texts.rule_addresses import address_of, with_page


@pytest.mark.parametrize("name", ["configuration", "settings", "verdict"])
def test_the_exported_schemas_are_current(name: str) -> None:
    kept = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text())
    assert json.loads(run("schema", name).stdout) == kept, "run: make schemas"


@pytest.mark.parametrize("folder", ["rules", "families"])
def test_the_pages_of_rules_and_families_are_current(tmp_path: Path, folder: str) -> None:
    assert run("rules", "--write", str(tmp_path)).returncode == 0
    written = {path.name: path.read_text() for path in (tmp_path / "docs" / folder).iterdir()}
    assert written == {path.name: path.read_text() for path in (ROOT / "docs" / folder).iterdir()}, "run: make schemas"


def test_the_index_has_each_rule_once() -> None:
    index = (ROOT / "docs" / "rules" / "README.md").read_text()
    listed = re.findall(r"^\| \[([A-Z0-9]+-\d{3})\]", index, re.MULTILINE)
    assert sorted(listed) == sorted([*(rule.id for family in families() for rule in family.rules()), *(rule.id for rule in GENERAL_RULES)])


def test_the_permissions_are_current_and_only_read() -> None:
    text = run("rules", "-o", "rbac").stdout
    assert text == (ROOT / "deploy" / "cluster-roles.yaml").read_text(), "run: make schemas"
    rules = [rule for role in read_all(text) for rule in role["rules"]]
    assert {verb for rule in rules for verb in rule["verbs"]} == {"list", "watch"}
    assert not any("secrets" in rule["resources"] for rule in rules)


def test_one_rule_is_shown_with_its_reason_and_examples() -> None:
    shown = run("rules", "llmkube-001").stdout
    assert shown.startswith("LLMKUBE-001 accelerator-contradicts-vendor (error; LLMKube: Model; since 0.1.0)")
    assert "Source: LLMKube v0.9.19" in shown
    assert "\n\nFile: policies/families/llmkube/rules/llmkube_001_accelerator_contradicts_vendor.py\n" in shown
    assert "    apiVersion: inference.llmkube.dev/v1alpha1\n    kind: Model\n" in shown.partition("Refused:")[2]


def test_all_rules_are_listed_and_as_json() -> None:
    listed = [line.split()[0] for line in run("rules").stdout.splitlines()]
    assert listed == [rule["id"] for rule in json.loads(run("rules", "-o", "json").stdout)]
    assert "LLMKUBE-001" in listed


def test_every_rule_names_its_file() -> None:
    files = {rule["id"]: rule["file"] for rule in json.loads(run("rules", "-o", "json").stdout)}
    assert [file for file in files.values() if not (ROOT / file).is_file()] == []
    of_families = {rule: file for rule, file in files.items() if file.startswith("policies/families/")}
    assert all(rule.lower().replace("-", "_") in file for rule, file in of_families.items())
    assert len(of_families) == sum(len(family.rules()) for family in families())
    assert "\n\nFile: policies/verdict/judgement.py\n" in run("rules", "PLACE-001").stdout
    (general,) = json.loads(run("rules", "place-001", "-o", "json").stdout)
    assert general["file"] == "policies/verdict/judgement.py"


@pytest.mark.parametrize("number", ["999", "1000", "0999"])
def test_a_number_above_all_of_a_family_is_no_misspelling(number: str) -> None:
    highest = max(rule.id for family in families() for rule in family.rules() if rule.id.startswith("LLMKUBE-"))
    said = f"the rules of LLMKUBE go to {highest}"
    assert run("rules", f"llmkube-{number}").stderr == f"Error: llmkube-{number}: no such rule; {said}\n"
    assert trouble_with_rule(f"LLMKUBE-{number}") == f"unknown rule; {said}"
    assert trouble_with_id(f"LLMKUBE-{number}") == f"no rule has the id 'LLMKUBE-{number}'; {said}"


def test_a_number_with_thousands_of_digits_is_an_error_alone() -> None:
    assert run("rules", f"LLMKUBE-{'9' * 5000}").returncode == 2


def test_a_rule_that_does_not_exist_is_an_error() -> None:
    done = run("rules", "NONE-999")
    assert done.returncode == 2
    assert "no such rule; weighbridge rules lists all" in done.stderr


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("LLMKUBE-1", "LLMKUBE-001"),
        ("llmkube-0003", "LLMKUBE-003"),
        ("LMKUBE-003", "LLMKUBE-003"),
        ("Gpu-not-schedulabel", "gpu-not-schedulable"),
        ("place-1", "PLACE-001"),
    ],
)
def test_an_id_or_name_that_is_nearly_right_is_told(wanted: str, meant: str) -> None:
    done = run("rules", wanted)
    assert (done.returncode, done.stderr) == (2, f"Error: {wanted}: no such rule; did you mean {meant}?\n")


@pytest.mark.parametrize("named", ["LLMKUBE-082", "gpu-not-schedulable", "Gpu-Not-Schedulable"])
def test_a_rule_is_shown_by_its_id_or_name(named: str) -> None:
    assert run("rules", named).stdout.startswith("LLMKUBE-082 gpu-not-schedulable (error; ")


@pytest.mark.parametrize(("named", "said"), [("K8S-008", "K8S-008 no-such-kind"), ("no-node-fits", "PLACE-001 no-node-fits")])
def test_findings_of_no_family_have_pages_too(named: str, said: str) -> None:
    done = run("rules", named)
    assert done.returncode == 0
    assert done.stdout.startswith(said)


def test_a_finding_has_the_address_of_its_page() -> None:
    ids = [rule.id for family in families() for rule in family.rules()] + [rule.id for rule in GENERAL_RULES]
    for rule_id in ids:
        path, _, place = address_of(rule_id).partition("#")
        headings = re.findall(r"^## (.+)$", (ROOT / path).read_text(), re.MULTILINE)
        assert place in {heading.lower().replace(" ", "-") for heading in headings}, rule_id
    found = Finding("GIE-004", Severity.ERROR, ("spec",), "is missing")
    assert with_page(found)["page"] == "docs/rules/inference-extension.md#gie-004-name-empty"
    assert "page" not in with_page(replace(found, rule="GIE-999"))


def test_every_id_that_a_finding_can_have_has_a_page() -> None:
    written = {
        found
        for path in (ROOT / "policies").rglob("*.py")
        for found in re.findall(r"\"((?:K8S|PLACE|POD|WB)-[0-9]{3})\"", path.read_text())
    }
    assert written == {rule.id for rule in GENERAL_RULES}


def test_a_cluster_of_many_examples_is_shown_once() -> None:
    referred = set()
    for family in families():
        page = (ROOT / "docs" / "rules" / file_of(family)).read_text()
        shown = [text for text in re.findall(r"The cluster has\n\n```yaml\n(.*?)\n```", page, re.DOTALL) if text.count("\n") >= 10]
        assert len(shown) == len(set(shown))
        here = set(re.findall(r"^The cluster has the same as for \[[A-Z]+-\d+\]\(#(.+)\)\.$", page, re.MULTILINE))
        assert here <= {anchor_of(rule) for rule in family.rules()}
        referred |= here
    assert len(referred) > 20
