"""From the options of the command line to the input of the engine: facts, CRDs, configuration.

All unusable input gives an `InputError` with the file and the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

from weighbridge.policies.apiserver.definitions import Definitions, StandIn
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import RELEASES, ServerRelease, is_modelled, nearest, release
from weighbridge.webhook.inputs.bundled import BundledStandIns
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.compile_cache import compile_cache
from weighbridge.webhook.inputs.requests import is_namespaced
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import warn

#: An object, and its namespace if it names none.
Placed = tuple[JSONObject, str]


def _is_crd(obj: JSONObject) -> bool:
    return obj.get("kind") == "CustomResourceDefinition"


def bundled_definitions(config: Configuration = DEFAULT, server: ServerRelease | None = None) -> Definitions:
    """The bundled definitions of the families' kinds, in the versions that the configuration names."""
    nothing = Definitions(server=server)
    return nothing.completed_by(BundledStandIns(nothing, config, nothing.server))


def reconfigured(definitions: Definitions, config: Configuration) -> Definitions:
    """The same definitions, with bundled ones in the versions that another configuration names."""
    stand_ins = definitions.stand_ins
    if not isinstance(stand_ins, BundledStandIns) or stand_ins.config is config:
        return definitions
    return definitions.completed_by(replace(stand_ins, config=config))


def definitions_among(
    objects: Iterable[JSONObject],
    config: Configuration = DEFAULT,
    later: Iterable[StandIn] = (),
    server: ServerRelease | None = None,
    chosen: frozenset[str] = frozenset(),
) -> Definitions:
    """The definitions of the CRDs among the objects and in `crds`; if two define a kind, the later one counts.

    Kinds without a CRD have bundled ones.

    The kinds of `chosen` groups always have the bundled ones.
    """
    found = Definitions.from_manifests(filter(_is_crd, objects), cache=compile_cache(), server=server)
    installed = found.followed_by(later)
    if chosen:
        installed = installed.without(chosen)
    return installed.completed_by(BundledStandIns(installed, config, installed.server, chosen))


def release_for(version: str) -> ServerRelease:
    """The release for a server of this version; the one in force if the text isn't a version.

    If the release isn't modelled, there is a warning.
    """
    found = nearest(version)
    if found is None:
        if version:
            what = f"the snapshot's server says that it is {version}, which isn't a version of Kubernetes"
            warn(f"{what}, so objects are judged as by {release().name}")
        return release()
    if not is_modelled(version):
        known = ", ".join(one.name for one in RELEASES)
        warn(f"Kubernetes {version} isn't known, so objects are judged as by {found.name}; known are {known}")
    return found


def load_facts(
    cluster: Sequence[str] = (),
    crds: Sequence[str] = (),
    given: Iterable[JSONObject] = (),
    namespace: str | Sequence[str] = "default",
    config: Configuration = DEFAULT,
    kubernetes: str = "",
) -> Facts:
    """Facts from snapshots of the cluster, folders of CRDs, and the objects given together with the judged one.

    If there are several CRDs for a kind, `--crds` come first, then given ones, then the cluster's, then bundled ones, in the version of the
    others or else of the configuration. A given CRD that can't be used is left out; linting it says why. Given objects without a namespace
    are in `namespace`; if there are several, each has its own. `kubernetes` is the version of the server for which to judge; if it is
    empty, that of the snapshots. Raises InputError.
    """
    return facts_of(*read_cluster(cluster), crds, given, namespace, config, kubernetes, source=cluster)


def with_crds_of_all(contexts: Sequence[Sequence[Placed]]) -> Sequence[Placed]:
    """The CRDs of the other sets of given objects, followed by the first set."""
    return [*(one for own in contexts[1:] for one in own if _is_crd(one[0])), *contexts[0]]


def further_facts(known: Facts, objects: Sequence[JSONObject], extent: Extent, given: Iterable[Placed]) -> Facts:
    """Facts with other given objects, each with its namespace if it names none; the CRDs are those that are already known."""
    definitions = known.definitions
    return from_objects(objects, definitions, beside=(_settled(obj, where, definitions) for obj, where in given), extent=extent)


def facts_of(
    objects: Sequence[JSONObject],
    extent: Extent,
    crds: Sequence[str] = (),
    given: Iterable[JSONObject] = (),
    namespace: str | Sequence[str] = "default",
    config: Configuration = DEFAULT,
    kubernetes: str = "",
    *,
    source: Sequence[str] = ("the cluster",),
    chosen: frozenset[str] = frozenset(),
) -> Facts:
    """Facts as from `load_facts`, for the objects of a cluster and its extent; `source` names their origin in errors. Raises InputError.

    The kinds of `chosen` groups are always defined by the bundled CRDs.
    """
    own = list(given)
    named, kept = _read_crds(crds) if crds else ([], [])
    for path, foreign in ((source, objects), (crds, named)):
        issues = Definitions.from_manifests(filter(_is_crd, foreign)).issues
        if issues:
            raise InputError(f"{', '.join(path)}: {'; '.join(map(str, issues))}")
    server = release_for(kubernetes or extent.server)
    definitions = definitions_among((*objects, *own, *named), config, kept, server, chosen)
    places = zip(own, repeat(namespace) if isinstance(namespace, str) else namespace, strict=False)
    return from_objects(objects, definitions, beside=(_settled(obj, where, definitions) for obj, where in places), extent=extent)


def _read_crds(paths: Sequence[str]) -> tuple[list[JSONObject], list[StandIn]]:
    from weighbridge.webhook.inputs.kept_crds import named_crds

    return named_crds(paths)


def _settled(obj: JSONObject, namespace: str, definitions: Definitions) -> JSONObject:
    """A given object with the namespace in which it would be created: `namespace` if it names none and isn't cluster-scoped."""
    gvk = GroupVersionKind.from_object(obj)
    if namespace_of(obj) or (gvk is not None and not is_namespaced(gvk, definitions)):
        return obj
    return {**obj, "metadata": {**metadata_of(obj), "namespace": namespace}}


def load_configuration(path: str) -> Configuration:
    """Read the configuration. Raises InputError with file, line, field and what would be right."""
    from weighbridge.webhook.configuration.reader import read_configuration

    return read_configuration(path, bundled_definitions)


def changed_facts(
    objects: Sequence[JSONObject],
    extent: Extent,
    crds: Sequence[str],
    given: Iterable[JSONObject],
    deleted: Iterable[str],
    namespace: str,
    config: Configuration,
    kubernetes: str = "",
    *,
    source: Sequence[str],
) -> tuple[Facts, Facts, list[JSONObject]]:
    """The facts before and after objects are applied and deleted, and the deleted objects, which are named as for kubectl.

    Raises InputError.
    """
    from weighbridge.webhook.inputs.named_objects import named_object

    before = facts_of(objects, extent, crds, (), namespace, config, kubernetes, source=source)
    gone = [named_object(text, before.definitions).among(objects, namespace) for text in deleted]
    left = [obj for obj in objects if not any(obj is other for other in gone)]
    own = (_settled(obj, namespace, before.definitions) for obj in given)
    # If the last object of a kind is deleted, the kind is still completely known.
    kinds = {(gvk.group, gvk.kind) for obj in gone if (gvk := GroupVersionKind.from_object(obj)) is not None}
    whole = replace(extent, complete=frozenset(extent.complete) | kinds)
    return before, from_objects(left, before.definitions.undefined(gone), beside=own, extent=whole), gone
