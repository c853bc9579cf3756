"""The CRDs that `--crds` names are read once for each content; a later run gives the same output and parses none of them."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.webhook.inputs import compile_cache as caching
from weighbridge.webhook.inputs import crd_files, kept_crds

CRDS = ROOT / "policies" / "families" / "llmkube" / "crds" / "v0.9.19"
MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m}
spec: {source: model.gguf, hardware: {gpu: {count: 400}}, unknown: 1}
"""
OWN = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears, singular: gear, listKind: GearList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {teeth: {type: integer, maximum: 9}}}}}}
    - name: v0
      served: false
      storage: false
      schema: {openAPIV3Schema: {type: object}}
"""
GEAR = "apiVersion: example.com/v1\nkind: Gear\nmetadata: {name: g}\nspec: {teeth: 10}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two CRDs, and an object of each."""
    crds = tmp_path / "crds"
    crds.mkdir()
    (crds / "models.yaml").write_text((CRDS / "inference.llmkube.dev_models.yaml").read_text())
    (crds / "gears.yaml").write_text(OWN)
    (tmp_path / "objects.yaml").write_text(f"{MODEL}---\n{GEAR}---\n{GEAR.replace('/v1', '/v0')}")
    return tmp_path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of CRDs for each time that CRDs were parsed and judged."""
    counts: list[int] = []
    accepted = crd_files.accepted_crds

    def counting(*arguments: object) -> object:
        found = accepted(*arguments)  # type: ignore[arg-type]
        counts.append(len(found))
        return found

    monkeypatch.setattr(crd_files, "accepted_crds", counting)
    return counts


@pytest.fixture(autouse=True)
def _a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("WEIGHBRIDGE_CACHE", str(tmp_path / "cache"))
    caching.compile_cache.cache_clear()
    yield
    caching.compile_cache.cache_clear()


def lint(folder: Path, *, cached: bool = True) -> tuple[int, str, str]:
    """Runs `lint` as a separate process would: its cache is written at its end."""
    env = {} if cached else {"WEIGHBRIDGE_CACHE": "off"}
    done = run("lint", "-o", "json", "--crds", "crds", "objects.yaml", cwd=folder, env=env)
    cache = caching.compile_cache()
    if cache is not None:
        cache.save()
    caching.compile_cache.cache_clear()
    return done.returncode, done.stdout, done.stderr


def files(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "compiled").iterdir())


def test_a_second_run_says_the_same_and_parses_none(folder: Path, parsed: list[int]) -> None:
    expected = lint(folder, cached=False)
    assert "should be less than or equal to 9" in expected[1]
    assert 'no matches for kind \\"Gear\\" in version \\"example.com/v0\\"' in expected[1]
    assert [lint(folder), lint(folder)] == [expected, expected]
    assert parsed == [2, 2]


def test_a_changed_file_is_read_anew(folder: Path, parsed: list[int]) -> None:
    lint(folder)
    (folder / "crds" / "gears.yaml").write_text(OWN.replace("maximum: 9", "maximum: 10"))
    said = lint(folder)
    assert parsed == [2, 2]
    assert said == lint(folder, cached=False)
    assert "less than or equal to 9" not in said[1]


def test_a_crd_that_is_no_longer_kept_is_read_from_its_file(folder: Path, parsed: list[int]) -> None:
    expected = lint(folder)
    for path in files(folder):
        if b"gears.example.com" in path.read_bytes():
            path.unlink()
    assert [lint(folder), lint(folder)] == [expected, expected]
    assert parsed == [2, 2], "read again once, and kept"


def test_what_is_kept_cut_short_or_changed_is_not_believed(folder: Path, parsed: list[int]) -> None:
    expected = lint(folder)
    changes: tuple[Callable[[bytes], bytes], ...] = (
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:0],
        lambda data: data.replace(b"maximum", b"minimum"),
    )
    for change in changes:
        for path in files(folder):
            path.write_bytes(change(path.read_bytes()))
        assert lint(folder) == expected
    assert len(parsed) == 5


def test_what_was_refused_is_refused_again(folder: Path, parsed: list[int]) -> None:
    (folder / "crds" / "gears.yaml").write_text(OWN.replace("type: integer, maximum", "type: whole, maximum"))
    first, second = lint(folder), lint(folder)
    assert first == second
    assert (first[0], "gears.yaml:" in first[2]) == (2, True)
    (folder / "crds" / "none.yaml").write_text("a: [")
    assert "none.yaml:1" in lint(folder)[2]
    assert parsed == []


def test_only_the_crd_of_a_kind_that_comes_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint(folder)
    loaded: list[str] = []
    crd_of = kept_crds._KeptCRDs._crd

    def counting(self: kept_crds._KeptCRDs, digest: str) -> object:
        found = crd_of(self, digest)
        loaded.append(found["metadata"]["name"])
        return found

    monkeypatch.setattr(kept_crds._KeptCRDs, "_crd", counting)
    (folder / "objects.yaml").write_text(GEAR)
    lint(folder)
    assert loaded == ["gears.example.com"]


def test_of_two_crds_for_one_kind_the_later_file_wins(folder: Path) -> None:
    (folder / "crds" / "later.yaml").write_text(OWN.replace("maximum: 9", "maximum: 8"))
    first = lint(folder)
    assert "should be less than or equal to 8" in first[1]
    assert lint(folder) == first


def test_standard_input_is_read_once(folder: Path) -> None:
    def said() -> str:
        done = run("lint", "--crds", "-", "objects.yaml", cwd=folder, text=OWN).stdout
        cache = caching.compile_cache()
        assert cache is not None
        cache.save()
        caching.compile_cache.cache_clear()
        return done

    first = said()
    assert ("should be less than or equal to 9" in first, said()) == (True, first)


def test_a_definition_is_a_stand_in_until_it_is_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint(folder)
    monkeypatch.chdir(folder)
    crds, kept = kept_crds.named_crds(["crds"])
    assert crds == []
    assert [(str(found.gvk), found.plural) for found in kept] == [
        ("example.com/v1 Gear", "gears"),
        ("inference.llmkube.dev/v1alpha1 Model", "models"),
    ]
    assert marshal.loads(marshal.dumps(kept[0].read().openapi_schema))["type"] == "object"
