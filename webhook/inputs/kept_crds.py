"""The CRDs that `--crds` names: read and checked once for each content, later loaded when an object of their kind comes.

The compile cache keeps the kinds that the files define, under the digest of all files, and each CRD as data. So a run with files that
haven't changed parses none of them.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Final

from weighbridge.policies.apiserver.definitions import ResourceDefinition, StandIn, read_crd
from weighbridge.policies.ground.digests import blake2b
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.inputs.compile_cache import CompileCache, compile_cache
from weighbridge.webhook.inputs.manifest_reader import files, read_sources
from weighbridge.webhook.manifests import InputIssue, Source

_SERVED: Final = "served"
_CRD: Final = "crd"
#: Marshal's oldest format that knows all of JSON: equal values give equal bytes.
_WITHOUT_REFERENCES: Final = 2
#: A served version: the digest of its CRD, then group, version, kind and plural.
_Served = tuple[str, str, str, str, str]


def named_crds(paths: Sequence[str]) -> tuple[list[JSONObject], list[StandIn]]:
    """The CRDs in the files that the paths name: as they are written, or as definitions that were found usable before.

    Raises InputError with the server's errors.
    """
    found, cache = list(files(paths)), compile_cache()
    name = _name(found) if cache is not None else ""
    if cache is None or not name:
        return _accepted(paths, found), []
    served = _known(cache, name)
    if not served:
        crds = _accepted(paths, found)
        _keep(cache, name, crds)
        # Later runs know a CRD by its digest, and find what this run compiles only if it does so too.
        served = _known(cache, name)
        if not served:
            return crds, []
    return [], list(_KeptCRDs(paths, found, cache).stand_ins(served))


def _accepted(paths: Sequence[str], found: Sequence[Source | InputIssue]) -> list[JSONObject]:
    from weighbridge.webhook.inputs.crd_files import accepted_crds

    return accepted_crds(paths, read_sources(found).entries)


def _name(found: Sequence[Source | InputIssue]) -> str:
    """The digest of the files; empty if one of them can't be read."""
    digest = blake2b(digest_size=32)
    for source in found:
        if isinstance(source, InputIssue):
            return ""
        digest.update(blake2b(source.data).digest())
    return digest.hexdigest()


def _known(cache: CompileCache, name: str) -> Sequence[_Served]:
    data = cache.get(f"{name}/{_SERVED}")
    if data is not None:
        with suppress(ValueError, EOFError, TypeError):
            known: list[_Served] = marshal.loads(data)  # noqa: S302 - the cache gives only what this engine wrote
            return known
    return ()


def _keep(cache: CompileCache, name: str, crds: Sequence[JSONObject]) -> None:
    """Keep CRDs, if each of them can be used."""
    served: list[_Served] = []
    for crd in crds:
        try:
            digest, data, definitions = _digest(crd), marshal.dumps(crd), read_crd(crd)
        except ValueError:
            return
        served += ((digest, *_names(found.gvk), found.plural) for found in definitions if found.served)
        cache.put(f"{digest}/{_CRD}", data)
    cache.put(f"{name}/{_SERVED}", marshal.dumps(served))


def _names(gvk: GroupVersionKind) -> tuple[str, str, str]:
    return gvk.group, gvk.version, gvk.kind


def _digest(crd: JSONObject) -> str:
    return blake2b(marshal.dumps(crd, _WITHOUT_REFERENCES), digest_size=32).hexdigest()


class _KeptCRDs:
    """The CRDs of files whose content is known."""

    def __init__(self, paths: Sequence[str], found: Sequence[Source | InputIssue], cache: CompileCache) -> None:
        self._paths = paths
        self._found = found
        self._cache = cache
        self._known: dict[str, Mapping[GroupVersionKind, ResourceDefinition]] = {}

    def stand_ins(self, served: Sequence[_Served]) -> Iterator[StandIn]:
        """The served versions, each read when it is first needed."""
        for digest, group, version, kind, plural in served:
            gvk = GroupVersionKind(group, version, kind)
            yield StandIn(gvk, plural, partial(self._definition, digest, gvk))

    def _definition(self, digest: str, gvk: GroupVersionKind) -> ResourceDefinition:
        known = self._known.get(digest)
        if known is None:
            definitions = read_crd(self._crd(digest), trusted=True, cache=self._cache, digest=digest)
            known = self._known[digest] = {definition.gvk: definition for definition in definitions}
        return known[gvk]

    def _crd(self, digest: str) -> JSONObject:
        data = self._cache.get(f"{digest}/{_CRD}")
        if data is not None:
            with suppress(ValueError, EOFError, TypeError):
                known: JSONObject = marshal.loads(data)  # noqa: S302 - the cache gives only what this engine wrote
                return known
        return self._written[digest]

    @cached_property
    def _written(self) -> Mapping[str, JSONObject]:
        """All CRDs, read from the files, because one is no longer in the cache."""
        crds = {_digest(crd): crd for crd in _accepted(self._paths, self._found)}
        for digest, crd in crds.items():
            self._cache.put(f"{digest}/{_CRD}", marshal.dumps(crd))
        return crds
