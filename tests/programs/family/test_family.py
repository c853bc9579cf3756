"""`make family` writes the small family under another name, and refuses a name or a CRD that it can't use."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.architecture.test_the_tree import described
from tests.conftest import ROOT
from tests.families.scratch import FILES
from tests.families.test_bundled_crds import UPSTREAM as UPSTREAM_FOLDERS
from tests.programs.family.__main__ import main
from tests.programs.family.tables import CONTRACTS, PAGE, SETTINGS, UPSTREAM, with_folders
from tests.yaml_documents import read

CRD = FILES["policies/families/scratch/crds/scratch.example.com_notes.yaml"]
TABLES = (PAGE, CONTRACTS, SETTINGS, UPSTREAM)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with the files alone that name every family."""
    folder = tmp_path / "checkout"
    for path in TABLES:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text((ROOT / path).read_text())
    return folder


def written(root: Path) -> dict[str, str]:
    """The files in it, without those that name every family."""
    files = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}
    return {path: text for path, text in files.items() if path not in {*TABLES, "crd.yaml"}}


def test_under_its_own_name_it_is_the_small_family(root: Path) -> None:
    (root / "crd.yaml").write_text(CRD)
    assert main(["scratch", str(root / "crd.yaml")], root) == 0
    assert written(root) == FILES


def test_it_is_named_after_its_crd(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crd = (
        CRD.replace("notes", "lambdas")
        .replace("Note", "Lambda")
        .replace("scratch.example.com", "papers.example.org")
        .replace("v1\n", "v2\n")
    )
    (root / "crd.yaml").write_text(crd.replace("apiextensions.k8s.io/v2", "apiextensions.k8s.io/v1"))
    assert main(["papers", str(root / "crd.yaml")], root) == 0
    files = written(root)
    said = capsys.readouterr().out.splitlines()
    assert set(files) <= set(said)
    assert [line.partition(":")[0] for line in said if ": " in line] == [PAGE, CONTRACTS, SETTINGS]
    assert "policies/families/papers/rules/papers_001_too_many_sheets.py" in files
    assert "policies/families/papers/crds/papers.example.org_lambdas.yaml" in files
    assert 'Kind(GroupVersionKind("papers.example.org", "v2", "Lambda"), "lambdas")' in files["policies/families/papers/family.py"]
    assert "def lambda_(request" in files["policies/families/papers/predictions.py"]
    assert "apiVersion: papers.example.org/v2\nkind: Lambda\n" in files["tests/cases/papers/refuses-more-sheets-than-a-pad-has/object.yaml"]
    own = {path: text for path, text in files.items() if "/crds/" not in path}
    assert not [path for path, text in own.items() if {"scratch", "note"} & set(re.findall("scratch|note", f"{path}{text}".lower()))]
    for path, text in files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")


def with_fields(properties: str, more: str = "") -> str:
    """The CRD with other fields in its spec, each in a line."""
    before, _, _ = CRD.partition("              sheets:")
    return before + "".join(f"              {line}\n" for line in properties.splitlines()) + more


def test_it_is_about_fields_that_the_crd_has(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "crd.yaml").write_text(
        with_fields(
            """\
kept: {type: integer, maximum: 5}
maxReplicas: {type: integer, minimum: 1}
engine: {type: string, enum: [ink]}
modelName: {type: string, maxLength: 63}
url: {type: string, x-kubernetes-validations: [{rule: "self.startsWith('hf://') || self.startsWith('s3://')"}]}""",
            "            required: [url, engine]\n",
        )
    )
    assert main(["papers", str(root / "crd.yaml")], root) == 0
    files = written(root)
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{SETTINGS}: a section about its setting",
        "The predictions, the rule and the cases are about `maxReplicas`. Write what your operator does, and run `make check`.",
    ]
    obj = read(files["tests/cases/papers/refuses-more-max-replicas-than-a-pad-has/object.yaml"])
    url = obj["spec"].pop("url")
    assert (obj["spec"], url[:5] in {"hf://", "s3://"}) == ({"maxReplicas": 21, "engine": "ink"}, True)
    assert 'whole(given.spec, "maxReplicas")' in files["policies/families/papers/rules/papers_001_too_many_max_replicas.py"]
    assert "default_model_name: str | None = None" in files["policies/families/papers/settings.py"]
    assert 'mutation.fill(("spec", "modelName"), filled' in files["policies/families/papers/fill.py"]
    assert "path: /spec/modelName" in files["tests/cases/papers/accepts-as-many-max-replicas-as-a-pad-has/expect.yaml"]
    assert files["tests/cases/papers/accepts-as-many-max-replicas-as-a-pad-has/config.yaml"].endswith(
        "papers: {defaultModelName: yellow}\n"
    )
    assert not [path for path, text in files.items() if {"sheets", "colour"} & set(re.findall("sheets|colour", f"{path}{text}"))]


def test_without_an_optional_text_nothing_is_filled_in(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "crd.yaml").write_text(with_fields("sheets: {type: integer}\ncolour: {type: string, pattern: ^#}"))
    assert main(["papers", str(root / "crd.yaml")], root) == 0
    files = written(root)
    assert "No default is filled in, since the CRD's spec lacks an optional text without limits." in capsys.readouterr().out
    assert not [path for path in files if path.endswith(("fill.py", "settings.py", "config.yaml"))]
    assert not [path for path, text in files.items() if "/crds/" not in path and re.search("fill|colour", text.lower())]
    assert read(files["tests/cases/papers/accepts-as-many-sheets-as-a-pad-has/expect.yaml"]) == {"allowed": True}
    assert (root / SETTINGS).read_text() == (ROOT / SETTINGS).read_text()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("colour: {type: string}", "The files have a field `sheets`, since the CRD's spec lacks a whole number without limits."),
        (
            'sheets: {type: integer, x-kubernetes-validations: [{rule: "self > 30", message: too few}]}',
            'It says: Note.scratch.example.com "todo" is invalid: spec.sheets: Invalid value: 20: too few',
        ),
    ],
)
def test_what_has_to_be_changed_first_is_said(root: Path, capsys: pytest.CaptureFixture[str], fields: str, said: str) -> None:
    (root / "crd.yaml").write_text(with_fields(fields))
    assert main(["papers", str(root / "crd.yaml")], root) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("name", ["aaa", "lama", "zzz"])
def test_the_tree_shows_its_folders(name: str) -> None:
    page = (ROOT / PAGE).read_text()
    before, after = described(page), described(with_folders(page, name))
    assert sorted(set(after) - set(before)) == [f"policies/families/{name}", f"policies/families/{name}/rules"]
    assert [folder for folder in after if folder in before] == before
    families = [folder for folder in after if folder.startswith("policies/families/") and folder.count("/") == 2]
    assert families == sorted(families)


@pytest.mark.parametrize("name", ["aaa", "lama", "zzz"])
def test_the_contract_and_the_configurations_page_name_it(root: Path, name: str) -> None:
    (root / "crd.yaml").write_text(CRD)
    before = containers(root)
    assert main([name, str(root / "crd.yaml")], root) == 0
    assert containers(root) == sorted([*before, f"weighbridge.policies.families.{name}"])
    page = (root / SETTINGS).read_text()
    (example,) = (text for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if f"\n{name}:" in text)
    assert read(example) == {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", name: {"defaultColour": "yellow"}}
    assert f"| `{name}.defaultColour` | text | `colour` of a Note that leaves it out |" in page
    assert (root / UPSTREAM).read_text() == (ROOT / UPSTREAM).read_text()


def containers(root: Path) -> list[str]:
    """The families in the contract about their rooms."""
    contracts = tomllib.loads((root / CONTRACTS).read_text())["tool"]["importlinter"]["contracts"]
    (found,) = (contract for contract in contracts if contract["name"] == "The rooms of a family build on each other in one order")
    return list(found["containers"])


def test_a_crd_of_the_corpus_is_compared_with_upstreams(root: Path) -> None:
    crd = root.parent / "shared/corpus/papers/crds/scratch.example.com_notes.yaml"
    crd.parent.mkdir(parents=True)
    crd.write_text(CRD)
    assert main(["papers", str(crd)], root) == 0
    (table,) = re.findall(r"^UPSTREAM = (\{.*?^\})", (root / UPSTREAM).read_text(), re.DOTALL | re.MULTILINE)
    assert ast.literal_eval(table) == UPSTREAM_FOLDERS | {"scratch.example.com": "papers/crds"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["", ""], "name the family and the file of its CRD"),
        (["kube-ai", "crd.yaml"], "'kube-ai' can't be the name of a family: write small letters and digits"),
        (["there", "crd.yaml"], "policies/families/there exists already"),
        (["models", "crd.yaml"], "'models' is used in webhook/letters.py: choose a distinctive name"),
        (["other", "absent.yaml"], "absent.yaml can't be read: "),
        (["other", "broken.yaml"], "broken.yaml can't be read: "),
        (["other", "pod.yaml"], "pod.yaml: write one CustomResourceDefinition into the file"),
        (["other", "empty.yaml"], "empty.yaml: the CRD lacks spec.group"),
    ],
)
def test_what_cannot_be_used_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.chdir(root)
    for path in ("policies/families/there/__init__.py", "webhook/letters.py"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("models = 1\n")
    for file, text in {"crd": CRD, "broken": "a: *x", "pod": "kind: Pod", "empty": "kind: CustomResourceDefinition"}.items():
        Path(f"{file}.yaml").write_text(text)
    assert main(arguments, root) == 2
    assert capsys.readouterr().err.startswith(f"family: {why}")
    assert [path.parent.name for path in (root / "policies/families").rglob("*.py")] == ["there"]


def test_a_name_that_only_a_comment_has_is_used(root: Path) -> None:
    (root / "crd.yaml").write_text(CRD)
    (root / "webhook").mkdir()
    (root / "webhook/letters.py").write_text("# papers\nx = 1\n")
    assert main(["papers", str(root / "crd.yaml")], root) == 0


def test_a_folder_that_only_the_interpreter_left_is_used(root: Path) -> None:
    (root / "crd.yaml").write_text(CRD)
    (root / "policies/families/scratch/__pycache__").mkdir(parents=True)
    assert main(["scratch", str(root / "crd.yaml")], root) == 0


def test_a_kind_without_a_spec_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crd = read(CRD)
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["properties"] = {"resource": schema["properties"]["spec"], "tuning": {"type": "object"}, "status": {"type": "object"}}
    (root / "crd.yaml").write_text(yaml.safe_dump(crd))
    assert main(["papers", str(root / "crd.yaml")], root) == 2
    assert "the objects have no spec. Write the family by hand" in capsys.readouterr().err
    assert not (root / "policies/families/papers").exists()
