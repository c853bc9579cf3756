"""`weighbridge impact`: what a change of configurations, models and templates does to the objects that a cluster has."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import JSONObject, metadata_of, namespace_of
from weighbridge.policies.verdict.changes import Change, change_of, others, others_impacts, own_impacts
from weighbridge.webhook.change_report.impact import FORMATS, ChangeImpact, discreet
from weighbridge.webhook.cli.cluster_state import cluster_state
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.options import (
    MORE_ARGUMENTS,
    cluster_option,
    complete_kinds,
    config_option,
    context_option,
    crds_option,
    isolated_option,
    kubeconfig_option,
    kubernetes_option,
    more_arguments,
    namespace_option,
    settings_option,
)
from weighbridge.webhook.inputs.facts import changed_facts, load_configuration
from weighbridge.webhook.inputs.manifest_reader import read
from weighbridge.webhook.inputs.named_objects import is_namespaced, parts_of
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import complain


@click.command("impact", context_settings=dict(MORE_ARGUMENTS))
@click.option(
    "-f",
    "--file",
    "paths",
    multiple=True,
    metavar="PATH",
    help="The new or changed objects: a file, a folder, or - for standard input. Repeatable.",
)
@click.option(
    "--delete",
    "deleted",
    multiple=True,
    metavar="KIND/[NAMESPACE/]NAME",
    shell_complete=complete_kinds,
    help="An object that is deleted, named as for kubectl. Repeatable.",
)
@cluster_option
@kubeconfig_option
@context_option
@crds_option
@config_option
@kubernetes_option
@settings_option
@isolated_option
@namespace_option
@click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How the impact is written.")
def command(
    paths: tuple[str, ...],
    deleted: tuple[str, ...],
    cluster: tuple[str, ...],
    kubeconfig: str | None,
    context: str | None,
    crds: tuple[str, ...],
    config: str | None,
    kubernetes: str | None,
    settings: str | None,
    isolated: bool,
    namespace: str | None,
    output: str,
) -> int:
    """Show what a change does to the given objects and to others: for which the operators create something else, and which break.

    -f and --delete take objects of the known systems, and others that predictions read, such as a Node, a Namespace or a StorageClass.
    Kinds are named as for kubectl. Without --cluster it reads the live cluster, with GET only. Exit code 0: nothing breaks, 1: something
    breaks, 2: something could not be read.
    """
    if more := more_arguments():
        raise click.UsageError(f"files are given with -f: write {' '.join(f'-f {path}' for path in more)}")
    if not paths and not deleted:
        raise click.UsageError("give -f PATH with the objects as they will be, or --delete KIND/[NAMESPACE/]NAME")
    for text in deleted:
        parts_of(text)
    run = settled(
        {"config": config, "crds": crds, "kubernetes-version": kubernetes, "namespace": namespace}, paths, file=settings, isolated=isolated
    )
    where, version = run.text("namespace", "default"), next(iter(run.words("kubernetes-version")), "")
    reading = read(paths)
    if (issue := reading.first_error()) is not None:
        raise InputError(str(issue))
    given = [manifest.value for manifest in reading.manifests]
    configuration = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    state = cluster_state(cluster, kubeconfig, context)
    before, after, gone = changed_facts(
        state.objects, state.extent, run.texts("crds"), given, deleted, where, configuration, version, source=state.source
    )
    applied = [change for obj in _settled(given, where) if (change := change_of(obj)) is not None]
    changes = [*applied, *(change for obj in gone if (change := change_of(obj, is_deletion=True)) is not None)]
    if not changes:
        complain("Note: nothing is given, so nothing changes")
    if unread := _unread(changes):
        note = f"no prediction reads {' or '.join(unread)}"
        if all(change.gvk.kind in unread for change in changes):
            raise InputError(
                f"{note}, so the impact of this change isn't known; weighbridge impact --delete X/Y lists the kinds that are read"
            )
        complain(f"Note: {note}, so these are skipped")
    holding = configured(configuration, after)
    own = list(map(discreet, own_impacts(changes, before, after, holding)))
    found = list(map(discreet, others_impacts(changes, before, after, holding)))
    outcome = ChangeImpact([change.object for change in changes], found, others(changes, after), own)
    FORMATS[output](outcome, sys.stdout)
    return int(outcome.breaks)


def _settled(given: list[JSONObject], namespace: str) -> Iterator[JSONObject]:
    """The objects with their final namespace."""
    for obj in given:
        own = change.own if (change := change_of(obj)) is not None else None
        is_homeless = not namespace_of(obj) and (own[1].namespaced if own is not None else is_namespaced(obj))
        yield {**obj, "metadata": {**metadata_of(obj), "namespace": namespace}} if is_homeless else obj


def _unread(changes: list[Change]) -> list[str]:
    """The kinds among the changes that no prediction reads."""
    return sorted({change.gvk.kind for change in changes if change.own is None and not any(change.readers())})
