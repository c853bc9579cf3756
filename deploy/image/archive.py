"""An OCI archive: layers, configuration and index in one tar, the same bytes for the same files."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from deploy.image.kinds import ImageKind

_PREFIX: Final = "application/vnd.oci.image"
_ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes that are found by their digest."""

    media_type: str
    data: bytes

    @property
    def digest(self) -> str:
        """The name of the blob."""
        return f"sha256:{hashlib.sha256(self.data).hexdigest()}"

    def descriptor(self) -> dict[str, Any]:
        """How other blobs refer to it."""
        return {"mediaType": self.media_type, "digest": self.digest, "size": len(self.data)}


def layer(root: Path, wanted: Callable[[Path], bool]) -> tuple[Blob, str]:
    """The files below `root` for which `wanted` says yes (of their paths below it), as a layer; and the digest of its plain form."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            below = path.relative_to(root)
            if wanted(below):
                _add(archive, path, below)
    data = plain.getvalue()
    return Blob(f"{_PREFIX}.layer.v1.tar+gzip", gzip.compress(data, 6, mtime=0)), f"sha256:{hashlib.sha256(data).hexdigest()}"


def _add(archive: tarfile.TarFile, path: Path, below: Path) -> None:
    """Everything belongs to root, is older than any build, and only root may write it."""
    entry = archive.gettarinfo(path, below.as_posix())
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = "root"
    entry.mode = 0o1777 if below.as_posix() == "tmp" else (0o755 if entry.isdir() or entry.mode & 0o100 else 0o644)
    if entry.islnk():
        entry.type = tarfile.REGTYPE
        entry.size = path.stat().st_size
    if entry.isreg():
        with path.open("rb") as file:
            archive.addfile(entry, file)
    else:
        archive.addfile(entry)


def image(layers: Sequence[tuple[Blob, str]], machine: str, kind: ImageKind, labels: dict[str, str]) -> tuple[Blob, list[Blob]]:
    """The manifest of an image of a kind, and all blobs that it refers to."""
    configuration = {
        "architecture": _ARCHITECTURES.get(machine, machine),
        "os": "linux",
        "config": {
            "User": f"{kind.user}:{kind.user}",
            **({"Entrypoint": list(kind.entrypoint)} if kind.entrypoint else {}),
            "Cmd": list(kind.command),
            "WorkingDir": "/",
            "Env": [f"PATH={kind.path}", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"],
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": [plain for _, plain in layers]},
    }
    config = Blob(f"{_PREFIX}.config.v1+json", _json(configuration))
    blobs = [blob for blob, _ in layers]
    document = {
        "schemaVersion": 2,
        "mediaType": f"{_PREFIX}.manifest.v1+json",
        "config": config.descriptor(),
        "layers": [blob.descriptor() for blob in blobs],
    }
    return Blob(f"{_PREFIX}.manifest.v1+json", _json(document)), [config, *blobs]


def write(file: Path, manifest: Blob, blobs: Sequence[Blob], tag: str) -> None:
    """Write the archive, which `docker load`, `podman load` and `skopeo copy oci-archive:` read."""
    named = manifest.descriptor() | {"annotations": {"org.opencontainers.image.ref.name": tag}}
    index = {"schemaVersion": 2, "mediaType": f"{_PREFIX}.index.v1+json", "manifests": [named]}
    with tarfile.open(file, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in _members(index, [manifest, *blobs]):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))


def _members(index: dict[str, Any], blobs: Sequence[Blob]) -> Iterator[tuple[str, bytes]]:
    yield "oci-layout", b'{"imageLayoutVersion":"1.0.0"}'
    yield "index.json", _json(index)
    for blob in blobs:
        yield f"blobs/{blob.digest.replace(':', '/')}", blob.data


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
