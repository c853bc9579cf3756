"""Storage URIs as OME v0.1.5 reads them: schemes are case-sensitive, and each has its own form.

Source: OME v0.1.5, pkg/utils/storage/storage.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, field

SCHEMES: Final = ("oci", "pvc", "vendor", "hf", "s3", "az", "gs", "github", "local")
_NAMESPACE: Final = expression(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_AZURE_HOST: Final = ".blob.core.windows.net"


@dataclass(frozen=True, slots=True)
class StorageUri:
    """A URI's scheme and parts; `mistake` is the form that its scheme requires, empty if OME can read it."""

    scheme: str
    parts: dict[str, str] = field(default_factory=dict)
    mistake: str = ""

    def is_of(self, *schemes: str) -> bool:
        """Whether OME can read the URI and it has one of these schemes."""
        return self.scheme in schemes and not self.mistake


def read_uri(uri: str) -> StorageUri:
    """A URI with its parts."""
    scheme, found, rest = uri.partition("://")
    if not found or scheme not in SCHEMES:
        return StorageUri("", mistake=f"its scheme is none of {', '.join(f'{known}://' for known in SCHEMES)}")
    return _READERS[scheme](rest)


def _oci(rest: str) -> StorageUri:
    parts = rest.split("/", 5)
    if len(parts) < 6 or (parts[0], parts[2], parts[4]) != ("n", "b", "o"):
        return StorageUri("oci", mistake="it must read oci://n/NAMESPACE/b/BUCKET/o/PREFIX")
    return StorageUri("oci", {"namespace": parts[1], "bucket": parts[3], "prefix": parts[5]})


def _pvc(rest: str) -> StorageUri:
    claim, _, path = rest.partition("/")
    if not claim or not path:
        return StorageUri("pvc", mistake="it must read pvc://CLAIM/PATH or pvc://NAMESPACE:CLAIM/PATH")
    namespace, colon, name = claim.partition(":")
    if not colon:
        return StorageUri("pvc", {"claim": claim, "path": path})
    if ":" in name or not name:
        return StorageUri("pvc", mistake="it must have one colon, between the namespace and the claim")
    if not _NAMESPACE.fullmatch(namespace):
        return StorageUri("pvc", mistake=f'"{namespace}" isn\'t a namespace')
    return StorageUri("pvc", {"namespace": namespace, "claim": name, "path": path})


def _vendor(rest: str) -> StorageUri:
    parts = rest.split("/", 2)
    if len(parts) < 3 or not all(parts):
        return StorageUri("vendor", mistake="it must read vendor://VENDOR/TYPE/PATH")
    return StorageUri("vendor", dict(zip(("vendor", "type", "path"), parts, strict=True)))


def _hugging_face(rest: str) -> StorageUri:
    model, at, branch = rest.partition("@")
    if not model:
        return StorageUri("hf", mistake="it must read hf://MODEL or hf://MODEL@BRANCH")
    return StorageUri("hf", {"model": model, "branch": branch if at else "main"})


def _s3(rest: str) -> StorageUri:
    # Upstream splits at the first "@", wherever it is.
    before, at, after = rest.partition("@")
    if at:
        region, _, prefix = after.partition("/")
        bucket = before
    else:
        bucket, _, prefix = before.partition("/")
        region = ""
    if not bucket:
        return StorageUri("s3", mistake="it must read s3://BUCKET/PREFIX or s3://BUCKET@REGION/PREFIX")
    return StorageUri("s3", {"bucket": bucket, "prefix": prefix, "region": region})


def _azure(rest: str) -> StorageUri:
    host = f"{_AZURE_HOST}/"
    account, _, path = rest.partition(host if host in rest else "/")
    container, _, prefix = path.partition("/")
    if not account or not container:
        return StorageUri("az", mistake="it must read az://ACCOUNT/CONTAINER/PATH")
    return StorageUri("az", {"account": account, "container": container, "prefix": prefix})


def _google(rest: str) -> StorageUri:
    bucket, _, prefix = rest.partition("/")
    if not bucket:
        return StorageUri("gs", mistake="it must read gs://BUCKET/OBJECT")
    return StorageUri("gs", {"bucket": bucket, "prefix": prefix})


def _github(rest: str) -> StorageUri:
    repository, at, tag = rest.partition("@")
    owner, _, name = repository.partition("/")
    if not owner or not name:
        return StorageUri("github", mistake="it must read github://OWNER/REPOSITORY or github://OWNER/REPOSITORY@TAG")
    return StorageUri("github", {"owner": owner, "repository": name, "tag": tag if at else "latest"})


def _local(rest: str) -> StorageUri:
    return StorageUri("local", {"path": rest}) if rest else StorageUri("local", mistake="it must name a path")


_READERS: Final = {
    "oci": _oci,
    "pvc": _pvc,
    "vendor": _vendor,
    "hf": _hugging_face,
    "s3": _s3,
    "az": _azure,
    "gs": _google,
    "github": _github,
    "local": _local,
}
