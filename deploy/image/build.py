"""`make image`: builds the images as OCI archives, each with its bill of materials and its licences next to it.

Exit code 2: it can't be built here; the message says what is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final

from deploy.image import archive, bill, debian, wheels
from deploy.image.kinds import KINDS, SERVER, ImageKind

PROJECT: Final = Path(__file__).resolve().parents[2]
_USERS: Final = "root:x:0:0:root:/:/nonexistent\nnonroot:x:65532:65532:nonroot:/tmp:/nonexistent\n"
_GROUPS: Final = "root:x:0:\nnonroot:x:65532:\n"
_ABOUT: Final = Path("usr/share/doc/weighbridge")


@dataclass(frozen=True, slots=True)
class Built:
    """A root file system and what is in it."""

    kind: ImageKind
    root: Path
    bill: dict[str, Any]
    wheels: list[Distribution]

    @property
    def version(self) -> str:
        """The project's."""
        return str(self.bill["metadata"]["component"]["version"])


def root_of(work: Path, project: Path = PROJECT, kind: ImageKind = SERVER) -> Built:
    """Make the root file system of a kind of image below `work`, an empty folder. Raises ImageError."""
    root, downloads = work / "root", work / "downloads"
    root.mkdir()
    downloads.mkdir()
    packages = debian.unpack(root, downloads, kind.packages)
    installed = wheels.install(root, project)
    for folder in ("etc", "tmp", "proc", "dev", "sys", "run", str(_ABOUT)):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "etc/passwd").write_text(_USERS)
    (root / "etc/group").write_text(_GROUPS)
    (root / "etc/nsswitch.conf").write_text("hosts: files dns\n")
    for unused in kind.unused:
        shutil.rmtree(root / unused, ignore_errors=True)
    kind.add_programs(root)
    document = bill.bill(packages, installed, root, kind.name)
    (root / _ABOUT / "sbom.cdx.json").write_text(json.dumps(document, indent=1))
    (root / _ABOUT / "licences.txt").write_text(bill.listed(document))
    return Built(kind, root, document, installed)


def archived(built: Built, file: Path) -> str:
    """Write the image in three layers, so that a new release changes the last alone; its digest."""
    own = [wheels.SITE / wheels.OWN] + [path.relative_to(built.root) for path in (built.root / wheels.SITE).glob("weighbridge-*")]
    own += [wheels.PROGRAM, _ABOUT]

    # Their parts are compared: comparing whole paths would take longer than compressing the image.
    of_own, of_wheels = [place.parts for place in own], wheels.SITE.parts

    def is_own(path: Path) -> bool:
        return any(path.parts[: len(place)] == place for place in of_own)

    def is_wheel(path: Path) -> bool:
        return path.parts[: len(of_wheels)] == of_wheels and path != wheels.SITE and not is_own(path)

    parts = [lambda path: not is_own(path) and not is_wheel(path), is_wheel, is_own]
    layers = [archive.layer(built.root, part) for part in parts]
    labels = {"org.opencontainers.image.title": built.kind.name, "org.opencontainers.image.version": built.version}
    manifest, blobs = archive.image(layers, platform.machine(), built.kind, labels)
    archive.write(file, manifest, blobs, f"{built.kind.name}:{built.version}")
    return manifest.digest


def _write(built: Built, folder: Path) -> None:
    file = folder / f"{built.kind.name}-{built.version}.oci.tar"
    digest = archived(built, file)
    lists = "" if built.kind is SERVER else f"{built.kind.name}-"
    for name in ("sbom.cdx.json", "licences.txt"):
        (folder / f"{lists}{name}").write_bytes((built.root / _ABOUT / name).read_bytes())
    print(f"{file} ({file.stat().st_size / 1024 / 1024:.0f} MiB, {len(built.bill['components'])} packages)\n{digest}")


def main() -> int:
    """Build it."""
    parser = argparse.ArgumentParser(prog="make image", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=PROJECT / "dist", help="the folder for the image and its lists (dist)")
    folder: Path = parser.parse_args().to
    os.umask(0o022)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in KINDS:
            with tempfile.TemporaryDirectory(prefix="weighbridge-image-") as work:
                _write(root_of(Path(work), kind=kind), folder)
    except (debian.ImageError, OSError) as error:
        print(f"make image: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
