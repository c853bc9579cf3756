"""The image has the locked packages and no shell, and the webhook serves from it as `nobody` on a read-only root."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from deploy.image.build import Built, archived, root_of
from deploy.image.debian import missing_tools
from deploy.image.kinds import NONROOT, SERVER
from tests.webhook.collector import collecting
from tests.webhook.reviews import UID, review
from tests.webhook.serving import started
from weighbridge.webhook.installation.settings import default_values

#: The time limit of the build, which downloads some 60 packages.
pytestmark = pytest.mark.timeout(600)

#: Runs the program in a new mount namespace, with a read-only root and one writable folder.
_ENTER: Final = (
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && mount --bind "$2" "$1/tmp" && '
    'root=$1 && shift 2 && exec chroot --userspec=65532:65532 "$root" "$@"'
)


@dataclass(frozen=True)
class Image:
    """An image, and the file system of its layers."""

    built: Built
    name: str
    digest: str
    manifest: dict[str, Any]
    config: dict[str, Any]
    layers: list[list[str]]
    root: Path

    def command(self, writable: Path, *arguments: str) -> list[str]:
        """The command that runs its entry point with a writable folder."""
        return [
            "unshare",
            "--mount",
            "sh",
            "-c",
            _ENTER,
            "sh",
            str(self.root),
            str(writable),
            *self.config["config"]["Entrypoint"],
            *arguments,
        ]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image, built and unpacked once."""
    if missing := missing_tools():
        pytest.skip(f"no {' and no '.join(missing)}: the image is built on Debian 12")
    work = tmp_path_factory.mktemp("image")
    (work / "build").mkdir()
    built = root_of(work / "build")
    digest = archived(built, work / "image.tar")
    root = work / "unpacked"
    root.mkdir()
    layers = []
    with tarfile.open(work / "image.tar") as archive:
        (listed,) = _read(archive, "index.json")["manifests"]
        name, manifest = listed["annotations"]["org.opencontainers.image.ref.name"], _blob(archive, listed["digest"])
        for entry in manifest["layers"]:
            with tarfile.open(fileobj=archive.extractfile(_place(entry["digest"])), mode="r:gz") as part:
                layers.append(part.getnames())
                part.extractall(root, filter="fully_trusted")
        yield Image(built, name, digest, manifest, _blob(archive, manifest["config"]["digest"]), layers, root)
    shutil.rmtree(work)


def _place(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/')}"


def _read(archive: tarfile.TarFile, name: str) -> Any:
    file = archive.extractfile(name)
    assert file is not None
    return json.load(file)


def _blob(archive: tarfile.TarFile, digest: str) -> Any:
    return _read(archive, _place(digest))


def test_it_starts_the_program_as_nobody(image: Image) -> None:
    config = image.config["config"]
    assert config["User"] == f"{NONROOT}:{NONROOT}"
    assert config["Entrypoint"] == ["/usr/bin/weighbridge"]
    assert image.config["os"] == "linux"
    assert len(image.config["rootfs"]["diff_ids"]) == len(image.manifest["layers"]) == 3


def test_its_name_is_the_one_that_the_chart_pulls(image: Image) -> None:
    chosen = default_values()["image"]
    assert image.name == f"{chosen['repository']}:{chosen['tag']}"


def test_it_has_no_shell_and_nothing_that_raises_rights(image: Image) -> None:
    programs = {path.name for path in image.root.glob("usr/bin/*")}
    assert programs == {"python3.11", "weighbridge"}
    raising = [path for path in image.root.rglob("*") if not path.is_symlink() and path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)]
    assert raising == []


def test_only_root_may_write_what_is_in_it(image: Image) -> None:
    for path in image.root.rglob("*"):
        found = path.lstat()
        if not path.is_symlink() and path != image.root / "tmp":
            assert found.st_mode & 0o022 == 0, path
            assert found.st_uid == 0, path


def test_a_release_changes_the_last_layer_alone(image: Image) -> None:
    system, wheels, own = image.layers
    assert "usr/bin/python3.11" in system
    assert "usr/lib/python3/dist-packages/fastapi/__init__.py" in wheels
    assert {"usr/bin/weighbridge", "usr/lib/python3/dist-packages/weighbridge/policies/verdict/engine.py"} <= set(own)
    assert not [name for name in [*system, *wheels] if "weighbridge" in name]


def test_the_same_files_make_the_same_image_at_any_time(image: Image, tmp_path: Path) -> None:
    for path in image.built.root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (1, 1))
    assert archived(image.built, tmp_path / "again.tar") == image.digest


def test_the_bill_names_every_package_with_its_licence(image: Image) -> None:
    document = json.loads((image.root / "usr/share/doc/weighbridge/sbom.cdx.json").read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    purls = {component["purl"].partition("@")[0] for component in document["components"]}
    assert {f"pkg:deb/debian/{name}" for name in SERVER.packages} <= purls
    assert {"pkg:pypi/weighbridge", "pkg:pypi/fastapi", "pkg:pypi/cryptography", "pkg:pypi/kubernetes"} <= purls
    assert not {"pkg:pypi/pytest", "pkg:pypi/hypothesis", "pkg:pypi/uv"} & purls
    installed = {folder.name for folder in image.root.glob("usr/lib/python3/dist-packages/*.dist-info")}
    assert len(installed) == sum(purl.startswith("pkg:pypi/") for purl in purls)
    lacking = [component["name"] for component in document["components"] if component["licenses"][0]["license"]["name"].startswith("see")]
    assert lacking == []


def test_its_wheels_are_those_of_the_lock_file(image: Image) -> None:
    locked = {line.split(" ")[0].split(";")[0] for line in Path("requirements.lock").read_text().splitlines() if "==" in line}
    locked = {line.strip() for line in locked}
    unlocked = [wheel.name for wheel in image.built.wheels if f"{wheel.name.lower().replace('_', '-')}=={wheel.version}" not in locked]
    assert unlocked == ["weighbridge"]


@pytest.mark.skipif(os.geteuid() != 0, reason="changing the root needs root")
def test_the_webhook_serves_from_it_on_a_read_only_root(image: Image, tmp_path: Path) -> None:
    os.chown(tmp_path, NONROOT, NONROOT)
    where = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", "/tmp/certs", "--self-signed", "127.0.0.1")
    with started(tmp_path / "certs", image.command(tmp_path, "serve", *where)) as server:
        status, answer = server.call(review())
        assert (status, answer["response"]["uid"], answer["response"]["allowed"]) == (200, UID, True)
        owner = (Path("/proc") / str(server.process.pid)).stat().st_uid
        assert owner == NONROOT


@pytest.mark.skipif(os.geteuid() != 0, reason="changing the root needs root")
def test_it_can_send_traces(image: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(tmp_path, NONROOT, NONROOT)
    where = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", "/tmp/certs", "--self-signed", "127.0.0.1")
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with started(tmp_path / "certs", image.command(tmp_path, "serve", *where, "--drain-seconds", "0")) as server:
            assert server.call(review())[0] == 200
            server.process.terminate()
            assert server.wait() == 0
    assert collector.spans == [("weighbridge", "admission validate")]


@pytest.mark.skipif(os.geteuid() != 0, reason="changing the root needs root")
def test_it_lints_what_it_is_given(image: Image, tmp_path: Path) -> None:
    manifest = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: a}\nspec: {}\n"
    done = subprocess.run(image.command(tmp_path, "lint", "-"), input=manifest, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert "-:4:1: error[K8S-003] spec.source: Required value" in done.stdout
