"""`weighbridge impact`: what a change of configurations, models and templates does to the objects that a cluster has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import click

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families, family_groups, family_of, readers_of
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.references import as_applied
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.policies.verdict.impact import Impact, dependents, impacts, kinds_of
from weighbridge.webhook.cli.cluster_state import cluster_state
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.options import (
    a_namespace,
    cluster_option,
    config_option,
    context_option,
    crds_option,
    kubeconfig_option,
    kubernetes_option,
)
from weighbridge.webhook.inputs.facts import Deletion, changed_facts, load_configuration
from weighbridge.webhook.inputs.reading import read
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import complain
from weighbridge.webhook.verdict.impact import FORMATS, Outcome

#: Kinds of no family that predictions read, and that can be deleted.
_READ: Final = tuple(Kind(GroupVersionKind("", "v1", kind), "") for kind in ("ConfigMap", "PersistentVolumeClaim"))


@dataclass(frozen=True, slots=True)
class _Change:
    """An object that changes or goes, and the family and kind that it is of."""

    object: JSONObject
    family: Family
    kind: Kind


@click.command("impact")
@click.option(
    "-f", "--file", "paths", multiple=True, metavar="PATH", help="Objects as they will be: a file, a folder, or - for standard input."
)
@click.option("--delete", "deleted", multiple=True, metavar="KIND/[NAMESPACE/]NAME", help="An object that will be deleted.")
@cluster_option
@kubeconfig_option
@context_option
@crds_option
@config_option
@kubernetes_option
@click.option("-n", "--namespace", default="default", show_default=True, callback=a_namespace, help="For objects that name none.")
@click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How the impact is written.")
def command(
    paths: tuple[str, ...],
    deleted: tuple[str, ...],
    cluster: tuple[str, ...],
    kubeconfig: str | None,
    context: str | None,
    crds: tuple[str, ...],
    config: str | None,
    kubernetes: str,
    namespace: str,
    output: str,
) -> int:
    """Show which objects of a cluster a change leads to be resolved differently, and which it breaks.

    Without --cluster the live cluster is read, with GET alone. Exit code 0: nothing breaks, 1: something does, 2: something could not be
    read.
    """
    if not paths and not deleted:
        raise click.UsageError("give -f PATH with the objects as they will be, or --delete KIND/[NAMESPACE/]NAME")
    reading = read(paths)
    if (issue := reading.first_error()) is not None:
        raise InputError(str(issue))
    given = [manifest.value for manifest in reading.manifests]
    configuration = load_configuration(config) if config else DEFAULT
    going = [_deletion(text, namespace) for text in deleted]
    state = cluster_state(cluster, kubeconfig, context)
    before, after, gone = changed_facts(
        state.objects, state.extent, crds, given, going, namespace, configuration, kubernetes, source=state.source
    )
    changes = [change for obj in (*_settled(given, namespace), *gone) for change in _changes(obj)]
    found = list(map(_discreet, _found(changes, before, after, configured(configuration, after))))
    known = sum(1 for _ in _all_dependents(changes, after))
    if not any(change.kind.gvk.kind in change.family.influences for change in changes):
        complain("Note: nothing that is given is of a kind from which other objects are resolved")
    FORMATS[output](Outcome([change.object for change in changes], found, known), sys.stdout)
    return int(any(impact.breaks for impact in found))


def _discreet(impact: Impact) -> Impact:
    """An impact that says no credentials."""
    discretion = HiddenCredentials(impact.object)
    return replace(
        impact,
        failure_before=discretion.words(impact.failure_before),
        failure_after=discretion.words(impact.failure_after),
        unchecked=discretion.words(impact.unchecked),
        differences=[
            replace(entry, before=discretion.value(entry.before), after=discretion.value(entry.after)) for entry in impact.differences
        ],
    )


def _deletion(text: str, default: str) -> Deletion:
    """What is named: any kind of a family, with its group or without; in the namespace of the command where none is named."""
    written, _, rest = text.partition("/")
    namespace, _, name = rest.rpartition("/")
    if not name or "/" in namespace:
        raise click.UsageError(f"--delete {text}: write KIND/NAME or KIND/NAMESPACE/NAME")
    kinds = [kind for family in families() for kind in family.kinds if written in {kind.gvk.kind, f"{kind.gvk.kind}.{kind.gvk.group}"}]
    kinds = kinds or [kind for kind in _READ if kind.gvk.kind == written]
    if not kinds:
        raise click.UsageError(f"--delete {text}: no family has a kind {written}")
    where = [(kind.gvk.group, kind.gvk.kind, (namespace or default) if kind.namespaced else "", name) for kind in kinds]
    return Deletion(text, frozenset(one for one, kind in zip(where, kinds, strict=True) if kind.namespaced or not namespace))


def _settled(given: list[JSONObject], namespace: str) -> Iterator[JSONObject]:
    """The objects with the namespace that they will be in."""
    for obj in given:
        change = next(_changes({**obj, "metadata": {**metadata_of(obj), "namespace": namespace_of(obj) or namespace}}), None)
        if change is not None and change.kind.namespaced and not namespace_of(obj):
            yield {**obj, "metadata": {**metadata_of(obj), "namespace": namespace}}
        else:
            yield obj


def _change(obj: JSONObject) -> _Change | None:
    """The change of an object of a family's own kind."""
    gvk = GroupVersionKind.from_object(obj)
    family = family_of(gvk.group) if gvk is not None else None
    kind = (
        next((kind for kind in family.kinds if (kind.gvk.group, kind.gvk.kind) == (gvk.group, gvk.kind)), None) if family and gvk else None
    )
    return _Change(obj, family, kind) if family is not None and kind is not None else None


def _changes(obj: JSONObject) -> Iterator[_Change]:
    """The change of an object, for each family that predicts by it: its own, or those that read a ConfigMap or a claim."""
    own, gvk = _change(obj), GroupVersionKind.from_object(obj)
    if own is not None:
        yield own
    elif gvk is not None:
        yield from (_Change(obj, family, Kind(gvk, "")) for family in readers_of(gvk, obj, family_groups()))


def _found(changes: list[_Change], before: Facts, after: Facts, config: Configuration) -> Iterator[Impact]:
    """Each object that differs, once, however many changes may influence it."""
    seen: set[tuple[str, str, str, str]] = set()
    for change in changes:
        pairs = []
        for kind, obj in _dependents(change, before, after):
            key = (kind.gvk.group, kind.gvk.kind, namespace_of(obj), name_of(obj))
            if key not in seen:
                seen.add(key)
                pairs.append((kind, _stored(key, before) or obj, _applied(key, change.family, after, config) or obj))
        yield from impacts(pairs, change.family, before, after, config)


def _dependents(change: _Change, before: Facts, after: Facts) -> Iterator[tuple[Kind, JSONObject]]:
    """The objects that are there afterwards and go by what is changed, as it was or as it will be."""
    kind = change.kind.gvk.kind
    key = (change.kind.gvk.group, kind, namespace_of(change.object), name_of(change.object))
    for version, facts in ((_stored(key, before), before), (change.object, after)):
        for dependent, obj in dependents(version, change.family, kind, facts) if version is not None else ():
            if after.objects.get(dependent.gvk.group, dependent.gvk.kind, namespace_of(obj), name_of(obj)) is not None:
                yield dependent, obj


def _stored(key: tuple[str, str, str, str], facts: Facts) -> JSONObject | None:
    found = facts.objects.get(*key)
    return found if isinstance(found, dict) else None


def _applied(key: tuple[str, str, str, str], family: Family, facts: Facts, config: Configuration) -> JSONObject | None:
    """A given object as it will be stored, with what is filled in; `None` of one that isn't given."""
    found, fill = facts.beside.get(*key), family.fill.get(key[1])
    if not isinstance(found, dict):
        return None
    return as_applied(found, key[2], facts, config.within(key[2]), fill) if fill is not None else found


def _all_dependents(changes: list[_Change], facts: Facts) -> Iterator[JSONObject]:
    """All objects of the kinds that go by what is changed."""
    kinds = {
        found.gvk
        for change in changes
        for influence in change.family.influences.get(change.kind.gvk.kind, ())
        for found in kinds_of(influence, change.object, change.family)
    }
    for gvk in kinds:
        yield from facts.objects.list(gvk.group, gvk.kind)
