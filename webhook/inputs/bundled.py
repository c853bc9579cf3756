"""The bundled CRDs of the families, for clusters and folders without their own.

A file is read when its kind is first needed. The version of a family's CRDs is that of the installed ones, or else that of the
configuration, or else the newest.
"""

from __future__ import annotations

import importlib
import marshal
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import TypeAlias

from weighbridge.policies.apiserver.definitions import Definitions, Origin, Release, ResourceDefinition, StandIn, read_crd
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.families import families, family_groups, family_of
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.ground.digests import blake2b
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.server_release import ServerRelease, release
from weighbridge.webhook.inputs.compile_cache import compile_cache
from weighbridge.webhook.manifests import documents

#: The place of a family's CRD: the package, the folder in it, the file.
_Place: TypeAlias = tuple[str, str, str]


def bundled_crds(config: Configuration = DEFAULT) -> Iterator[JSONObject]:
    """The CRD of every kind of every family, of the versions that the configuration names."""
    for family in families():
        for _, place in _places(family, Definitions(), config):
            yield _crd(place)[0]


@dataclass(frozen=True, slots=True)
class BundledStandIns:
    """The bundled definitions; `installed` are the cluster's known CRDs. A family is imported when its group is needed.

    `chosen` are the groups whose release the user has chosen.
    """

    installed: Definitions
    config: Configuration
    server: ServerRelease = field(default_factory=release)
    chosen: frozenset[str] = frozenset()

    def groups(self) -> Iterator[str]:
        """The groups of all families."""
        return family_groups()

    def of(self, group: str) -> Iterator[StandIn]:
        """The stand-ins for a family's kinds in one group."""
        family = family_of(group)
        if family is not None:
            for kind, place in _places(family, self.installed, self.config):
                if kind.gvk.group == group:
                    yield StandIn(kind.gvk, kind.plural, partial(_definition, kind, place, self.server))

    def origin(self, gvk: GroupVersionKind) -> Origin | None:
        """The release from which a kind's CRD comes."""
        family = family_of(gvk.group)
        upstream = family.upstream_of(gvk.group) if family is not None else None
        if family is None or upstream is None:
            return None
        known = family.releases_of(upstream)
        release = _release_of(family, gvk, family.bundled_version(self.installed, self.config)) or upstream.release
        span = f"{upstream.named(known[0])} to {known[-1]}" if len(known) > 1 else upstream.named(release)
        return Origin(upstream.named(release), span, gvk.group in self.chosen)

    def served_by(self, server: ServerRelease) -> BundledStandIns:
        """The stand-ins for a server of another release of Kubernetes."""
        return replace(self, server=server)

    def releases(self, gvk: GroupVersionKind) -> Sequence[Release]:
        """The definition of a kind in each bundled version."""
        return _releases(gvk, self.server)


@lru_cache(maxsize=1024)
def _releases(gvk: GroupVersionKind, server: ServerRelease) -> Sequence[Release]:
    family = family_of(gvk.group)
    kind = family.kind(gvk) if family is not None else None
    if family is None or kind is None:
        return ()
    places = ((version, _place(family, _folder(version), kind)) for version in family.versions or ("",))
    return tuple(
        Release(version, partial(_definition, kind, place, server), partial(_schema, place, kind.gvk.version))
        for version, place in places
        if _is_there(place)
    )


def _places(family: Family, installed: Definitions, config: Configuration) -> Iterator[tuple[Kind, _Place]]:
    version = family.bundled_version(installed, config)
    for kind in family.kinds:
        places = (_place(family, _folder(other), kind) for other in family.versions_for(kind, version))
        place = next(filter(_is_there, places), None)
        if place is not None:
            yield kind, place


def _release_of(family: Family, gvk: GroupVersionKind, version: str) -> str:
    """The version whose CRD of a kind is used for a release: an older one if the kind had been removed by then."""
    kind = family.kind(gvk)
    if kind is None or not kind.since:
        return version
    held = next((other for other in family.versions_for(kind, version) if _is_there(_place(family, _folder(other), kind))), version)
    return min(held, version, key=family.versions.index)


def _folder(version: str) -> str:
    return f"crds/{version}" if version else "crds"


def _place(family: Family, folder: str, kind: Kind) -> _Place:
    return family.package, folder, f"{kind.gvk.group}_{kind.plural}.yaml"


@cache
def _is_there(place: _Place) -> bool:
    """Whether there is a file: a kind that was added in a later version has none."""
    return os.path.isfile(_path(place))


def _path(place: _Place) -> str:
    package, folder, name = place
    return os.path.join(importlib.import_module(package).__path__[0], folder, name)


def _crd(place: _Place) -> tuple[JSONObject, str]:
    """A bundled CRD, and the digest of its file. The cache keeps it as data, since reading the largest file takes twice as long."""
    with open(_path(place), "rb") as file:
        source, kept = file.read(), compile_cache()
    digest = blake2b(source, digest_size=32).hexdigest()
    key = f"{digest}/{place[-1]}"
    data = kept.get(key) if kept is not None else None
    if data is not None:
        with suppress(ValueError, EOFError, TypeError):
            known: JSONObject = marshal.loads(data)  # noqa: S302 - the cache gives only what this engine wrote
            return known, digest
    crd: JSONObject = next(documents(place[-1], source)).value
    if kept is not None:
        kept.put(key, marshal.dumps(crd))
    return crd, digest


def _schema(place: _Place, version: str) -> JSONObject:
    """The schema of a version. It may take megabytes, and a server reads it only once, for a comparison."""
    found: JSONObject = next(each["schema"]["openAPIV3Schema"] for each in _crd(place)[0]["spec"]["versions"] if each["name"] == version)
    return found


@cache
def _definition(kind: Kind, place: _Place, server: ServerRelease) -> ResourceDefinition:
    crd, digest = _crd(place)
    versions = read_crd(crd, trusted=True, cache=compile_cache(), server=server, digest=digest)
    return next(found for found in versions if found.gvk == kind.gvk)
