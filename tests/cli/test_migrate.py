"""`weighbridge migrate`: prints a diff or writes the files; the further output, and the exit codes."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.certs.atomicfile import WriteError
from weighbridge.webhook.cli.migrate import for_a_person

POOL = """\
apiVersion: inference.networking.x-k8s.io/v1alpha2
kind: InferencePool
metadata: {name: pool}
spec:
  targetPortNumber: 8000 # as vLLM listens
  selector: {app: vllm}
  extensionRef: {name: picker, portNumber: 9002}
"""
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
LEFT = "apiVersion: aim.silogen.ai/v1alpha1\nkind: AIMKVCache\nmetadata: {name: cache}\nspec: {kvCacheType: redis}\n"

DOCUMENT = (ROOT / "docs" / "migration.md").read_text()
SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """A file with something to migrate."""
    path = tmp_path / "pool.yaml"
    path.write_text(POOL)
    return path


def test_a_diff_is_shown_and_nothing_written(pool: Path) -> None:
    done = run("migrate", str(pool))
    assert (done.returncode, done.stderr) == (1, "would migrate 1 object in 1 file of 1; left 0\n")
    assert "-apiVersion: inference.networking.x-k8s.io/v1alpha2\n+apiVersion: inference.networking.k8s.io/v1\n" in done.stdout
    assert pool.read_text() == POOL


def test_what_ignore_files_name_is_left_alone_unless_it_is_named(pool: Path) -> None:
    folder = pool.parent
    (folder / "d/node_modules").mkdir(parents=True)
    for name in ("d/vendored.yaml", "d/node_modules/pool.yaml"):
        (folder / name).write_text(POOL)
    (folder / "d/.gitignore").write_text("vendored.yaml\n")
    (folder / "d/tsconfig.json").write_text('{\n  "a": {"b": 1}, // a comment\n  "c": [1,],\n}\n')
    (folder / "d/own.yaml").write_text(OTHER)
    done = run("migrate", "--write", "d", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "migrated 0 objects in 0 files of 1; left 0\n")
    assert run("migrate", "d/node_modules", "--exclude", "*.yaml", cwd=folder).returncode == 0
    assert run("migrate", "--force-exclude", "d/vendored.yaml", cwd=folder).returncode == 0
    assert run("migrate", "d/vendored.yaml", cwd=folder).returncode == 1
    assert run("migrate", "d/tsconfig.json", cwd=folder).returncode == 2


def test_the_diff_is_one_that_patch_takes(pool: Path) -> None:
    done = run("migrate", pool.name, cwd=pool.parent)
    subprocess.run(["git", "apply", "-"], input=done.stdout, text=True, cwd=pool.parent, check=True, timeout=60)
    assert run("migrate", str(pool)).returncode == 0
    assert "- number: 8000 # as vLLM listens" in pool.read_text()


@pytest.mark.parametrize(
    "text",
    [
        POOL.removesuffix("\n"),
        f"{POOL}---\n{OTHER}".removesuffix("\n"),
        POOL.replace("# as", "#\tas \u200b\u202e"),
        f"# a\u2028# b\n{POOL}",
        f"\ufeff{POOL}",
        POOL.replace("\n", "\r\n"),
    ],
    ids=["no end", "no end of what stays", "not printable", "another line end", "byte order mark", "carriage returns"],
)
def test_the_diff_gives_what_is_written(text: str, tmp_path: Path) -> None:
    written, patched = tmp_path / "written.yaml", tmp_path / "pool.yaml"
    for path in (written, patched):
        path.write_bytes(text.encode())
    done = run("migrate", patched.name, cwd=tmp_path)
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), cwd=tmp_path, check=True, timeout=60)
    assert run("migrate", "--write", str(written)).returncode == 0
    assert patched.read_bytes() == written.read_bytes() != text.encode()


def test_the_diff_of_many_documents_is_that_of_all_lines(tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    odd = POOL.replace("{name: pool}", "{name: pool}\nstatus: {a: &a b}").replace("app: vllm", "app: *a")
    path.write_text("---\n".join([*[POOL.replace("pool}", f"pool-{at}}}") for at in range(40)], odd, OTHER, POOL]))
    done = run("migrate", path.name, cwd=tmp_path)
    assert "would migrate 41 objects in 1 file of 1; left 1" in done.stderr
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), cwd=tmp_path, check=True, timeout=60)
    assert run("migrate", str(path)).stdout == ""
    assert path.read_text().count("inference.networking.x-k8s.io") == 1


@pytest.mark.parametrize("name", ["a b.yaml", 'a"b\\.yaml', "\u00fc.yaml", "\udcff.yaml"])
def test_the_diff_names_the_file_from_here(name: str, tmp_path: Path) -> None:
    path = tmp_path / "folder" / name
    path.parent.mkdir()
    path.write_text(POOL)
    (tmp_path / "link.yaml").symlink_to(path)
    for argument in (path, Path("folder", name), Path(".", "folder", "..", "folder", name), "link.yaml"):
        done = run("migrate", str(argument), cwd=tmp_path)
        subprocess.run(["git", "apply", "--check", "-"], input=done.stdout, text=True, cwd=tmp_path, check=True, timeout=60)
    assert run("migrate", "--write", str(tmp_path)).returncode == 0
    assert path.read_text() != POOL


def test_a_file_that_cannot_be_written_does_not_keep_the_others(pool: Path) -> None:
    with patch(
        "weighbridge.webhook.cli.migrate.write", side_effect=[WriteError("gone.yaml", "can't be written", "choose another"), None]
    ) as written:
        (pool.parent / "second.yaml").write_text(POOL)
        done = run("migrate", "--write", str(pool), str(pool.parent / "second.yaml"))
    assert done.returncode == 2
    wrote, *rest = done.stderr.splitlines()
    assert wrote == f"wrote {pool.parent / 'second.yaml'}"
    assert rest == ["Error: gone.yaml: can't be written; choose another", "migrated 1 object in 1 file of 1; left 0"]
    assert written.call_count == 2


def test_a_terminal_sees_no_character_that_steers_it() -> None:
    assert for_a_person("+# as \x7f\u202evLLM\n\\ No newline at end of file\n") == "+# as \\x7f\\u202evLLM\n\\ No newline at end of file\n"


def test_files_are_written_anew_with_the_mode_that_they_had(pool: Path) -> None:
    pool.chmod(0o640)
    (pool.parent / "other.yaml").write_text(OTHER)
    done = run("migrate", "--write", str(pool.parent))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"wrote {pool}\nmigrated 1 object in 1 file of 2; left 0\n"
    assert pool.read_text().startswith("apiVersion: inference.networking.k8s.io/v1\n")
    assert stat.S_IMODE(pool.stat().st_mode) == 0o640
    assert (pool.parent / "other.yaml").read_text() == OTHER


def test_a_folder_that_was_given_is_not_left(tmp_path: Path) -> None:
    given, elsewhere = tmp_path / "given", tmp_path / "elsewhere"
    given.mkdir()
    elsewhere.mkdir()
    for name in ("one.yaml", "two.yaml"):
        (elsewhere / name).write_text(POOL)
    (given / "vendor").symlink_to(elsewhere)
    (given / "one.yaml").symlink_to(elsewhere / "one.yaml")
    (given / "own.yaml").write_text(OTHER)
    for more in ([], ["--write"]):
        done = run("migrate", *more, "given", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.splitlines()[:-1] == [
            "passed over: given/one.yaml: a link out of given; name it to migrate what it leads to",
            "passed over: given/vendor: a link out of given, which isn't followed; name it to read what it leads to",
        ]
    assert [(elsewhere / name).read_text() for name in ("one.yaml", "two.yaml")] == [POOL, POOL]
    # The named files are migrated, and the output names the written ones.
    done = run("migrate", "--write", "given/vendor", "given/one.yaml", cwd=tmp_path)
    assert done.stderr.splitlines()[:-1] == ["wrote given/vendor/one.yaml", "wrote given/vendor/two.yaml"]
    (elsewhere / "one.yaml").write_text(POOL)
    done = run("migrate", "--write", "given/one.yaml", cwd=tmp_path)
    assert done.stderr.splitlines()[:-1] == [f"wrote {elsewhere / 'one.yaml'}, to which given/one.yaml leads"]


def test_all_names_of_a_file_have_what_is_written(pool: Path) -> None:
    other = pool.parent / "other.txt"
    other.hardlink_to(pool)
    assert run("migrate", "--write", str(pool)).returncode == 0
    assert other.read_text() == pool.read_text() != POOL
    assert other.samefile(pool)


def test_migrating_again_has_nothing_to_do(pool: Path) -> None:
    run("migrate", "--write", str(pool))
    for more in ([], ["--write"]):
        assert run("migrate", *more, str(pool)).returncode == 0


def test_standard_input_is_migrated_to_standard_output() -> None:
    done = run("migrate", "--write", "-", text=POOL)
    assert done.returncode == 0
    assert done.stdout.startswith("apiVersion: inference.networking.k8s.io/v1\n")
    assert run("migrate", "--write", "-", text=OTHER).stdout == OTHER
    assert run("migrate", "--write", "-", text=f"\ufeff{OTHER}".replace("\n", "\r\n")).stdout == f"\ufeff{OTHER}".replace("\n", "\r\n")


def test_what_is_left_is_told_with_its_place_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "cache.yaml"
    path.write_text(LEFT)
    for more in ([], ["--write"]):
        done = run("migrate", *more, str(path))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"{path}:2:7: left: AIMKVCache cache kind: aim.eai.amd.com has no such kind;")
    assert path.read_text() == LEFT


def test_what_cannot_be_read_is_two_and_the_rest_is_migrated_all_the_same(pool: Path) -> None:
    (pool.parent / "broken.yaml").write_text("a: [1\n")
    done = run("migrate", "--write", str(pool.parent), str(pool.parent / "missing.yaml"))
    assert done.returncode == 2
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        f"wrote {pool}",
        "Error",
        "Error",
        "migrated 1 object in 1 file of 2; left 0",
    ]
    assert pool.read_text() != POOL


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=[arguments for arguments, _ in SHOWN])
def test_the_page_shows_what_is_printed(arguments: str, output: str) -> None:
    done = run(*arguments.removesuffix(" 2>&1").split(), cwd=ROOT)
    assert done.stdout + done.stderr == output


def test_the_page_shows_every_family_that_migrates() -> None:
    assert len(SHOWN) == 3


LOST = 'no matches for kind "AIMImageCache" in version "aim.silogen.ai/v1alpha1": did you mean AIMTemplateCache?'
EXAMPLE = """\
apiVersion: aim.silogen.ai/v1alpha1
kind: AIMService
metadata: {name: chat}
spec:
  aimImageName: llama
  templateRef: fast
  routing: {routeTemplate: "/{.spec.aimImageName}/"}
  speed: high
---
apiVersion: aim.silogen.ai/v1alpha1
kind: AIMClusterImage
metadata: {name: llama}
spec: {}
---
apiVersion: aim.silogen.ai/v1alpha1
kind: AIMImageCache
metadata: {name: llama}
"""


def test_what_the_new_kind_refuses_counts_as_left(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    done = run("migrate", "--write", "a.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "wrote a.yaml",
        "a.yaml:8:10: left: AIMService chat spec.speed: its kind has no such field; remove it, or write the field that replaced it",
        "a.yaml:13:1: left: AIMClusterImage llama spec.image: its kind requires this field; write it",
        f"a.yaml:16:7: left: AIMImageCache llama kind: {LOST}; remove the object, or write the kind that replaced it",
        "migrated 2 objects in 1 file of 1; left 3",
    ]
    written = (tmp_path / "a.yaml").read_text()
    assert 'routing: {pathTemplate: "/{.spec.model.name}/"}' in written
    assert "  model:\n    name: llama\n" in written
    assert "kind: AIMClusterModel\n" in written
    again = run("migrate", "--write", "a.yaml", cwd=tmp_path)
    assert (again.returncode, again.stderr.splitlines()[-1]) == (1, "migrated 0 objects in 0 files of 1; left 1")
