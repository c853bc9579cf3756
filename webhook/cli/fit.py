"""`weighbridge fit`: the nodes with the pods that use their devices, and the pods of a change that find no room."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision, Outlook, Severity
from weighbridge.policies.ground.objects import Operation, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.placement.packing.change import Part
from weighbridge.policies.placement.packing.picture import Outside, Picture, picture_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cli.around.judged_by import Known
from weighbridge.webhook.cli.options import (
    cluster_option,
    colour_option,
    complete_files,
    config_option,
    crds_option,
    exclude_options,
    kubernetes_option,
    namespace_option,
    release_option,
    settings_options,
)
from weighbridge.webhook.cli.pictures import FORMATS
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.companies import applied, companies
from weighbridge.webhook.inputs.contexts import contexts_of
from weighbridge.webhook.inputs.facts import load_configuration, with_crds_of_all
from weighbridge.webhook.inputs.manifest_reader import duplicates_of, read
from weighbridge.webhook.inputs.requests import request_of, stored_before
from weighbridge.webhook.inputs.trees import Tree, selection_of, tree_of
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.settings.values import Settings
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import complain
from weighbridge.webhook.texts.style import ColorChoice, Style


@click.command("fit")
@click.argument("paths", nargs=-1, metavar="PATH...", required=True, shell_complete=complete_files)
@exclude_options
@cluster_option
@crds_option
@config_option
@kubernetes_option
@release_option
@namespace_option
@click.option("--empty", "is_empty", is_flag=True, help="Leave out the running pods of the snapshot.")
@click.option("-o", "--output", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How the picture is written.")
@settings_options
@colour_option
def command(
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    is_forced: bool,
    cluster: tuple[str, ...],
    crds: tuple[str, ...],
    config: str | None,
    kubernetes: str | None,
    release: tuple[str, ...],
    namespace: str | None,
    is_empty: bool,
    output: str,
    settings: str | None,
    isolated: bool,
    colour: str,
) -> int:
    """Show on which nodes the pods of manifests fit: each node with its GPUs as cells, and the pods that find no place.

    All pods are packed together, and next to the running pods if the snapshot has them (`weighbridge snapshot --pods`). The picture
    shows one way in which they fit; the scheduler may choose other nodes. Exit code 0: all pods fit, 1: a pod finds no place, or it
    isn't known whether it does, 2: something could not be read.
    """
    named: dict[str, str | tuple[str, ...] | None] = {
        "exclude": exclude,
        "config": config,
        "crds": crds,
        "cluster": cluster,
        "kubernetes-version": kubernetes,
        "namespace": namespace,
    }
    run = settled(named, paths, file=settings, isolated=isolated)
    where, version = run.text("namespace", "default"), next(iter(run.words("kubernetes-version")), "")
    reading = read(paths, selection=selection_of(paths, run, is_forced=is_forced))
    if (issue := reading.first_error()) is not None:
        raise InputError(str(issue))
    if not any(True for _ in reading.manifests):
        complain("Note: nothing is given, so this is the cluster without a change")
    picture = _picture(tree_of(reading, paths, where, version), run, release, is_empty=is_empty)
    FORMATS[output](picture, sys.stdout, Style.of(sys.stdout, environ=os.environ, color=ColorChoice(colour)))
    return int(bool(picture.outside) or not picture.is_whole)


def _picture(tree: Tree, run: Settings, release: Sequence[str], *, is_empty: bool) -> Picture:
    """The picture of what is applied together. Raises InputError if that isn't one cluster, or its nodes aren't known."""
    configuration = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    given = list(tree.reading.manifests)
    namespaces = [run.text_for("namespace", manifest.document.source, "default") for manifest in given]
    contexts = contexts_of(given, tree.built, namespaces)
    placed = contexts.placed(given, namespaces)
    cluster = run.texts("cluster")
    known = Known(*read_cluster(cluster), cluster, run.texts("crds"), configuration, run.words("kubernetes-version"), release)
    first = known.judged_by(with_crds_of_all(placed))
    in_contexts = [first, *(known.among(first, own) for own in placed[1:])]
    _, facts, config = first[-1]
    if facts.inventory is None:
        raise InputError("nothing is known of the cluster's nodes; give a snapshot that has them with --cluster")
    together = applied(given, companies(given, contexts.numbers, tree.built, tree.roots), tree.built)
    if len(together) > 1:
        sources = [dict.fromkeys(given[number].document.source for number in numbers) for numbers in together]
        common = set(sources[0]).intersection(*sources[1:])
        # Rendered objects show best which clusters there are.
        named = [min(found, key=lambda one: (one in common, one not in tree.built)) for found in sources[:3]]
        where = f"{len(together)} clusters, such as {', '.join(named)}"
        raise InputError(f"these are meant for {where}; name the files or the folder of one of them")
    parts, outside = [], []
    for number in together[0] if together else ():
        manifest, context = given[number], in_contexts[contexts.numbers[number]][-1]
        decision = _decided(manifest, namespaces[number], context[1], config)
        if decision.groups and not any(one.awaits for one in decision.groups):
            parts.append(Part(manifest.label, namespace_of(manifest.value) or namespaces[number], decision.groups))
        elif why := _why_outside(decision):
            outside.append(Outside(manifest.label, why))
    shown = replace(facts, occupancy=None) if is_empty else facts
    with judging(facts.definitions.server):
        return picture_of(parts, shown, config, outside)


def _decided(manifest: Manifest, namespace: str, facts: Facts, config: Configuration) -> Decision:
    old = stored_before(manifest.value, facts, namespace)
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = request_of(manifest.value, facts.definitions, uid="fit", namespace=namespace, operation=operation, old=old)
    return decide(request, facts, config, duplicates=duplicates_of(manifest), explains=False, answers=False)


def _why_outside(decision: Decision) -> str:
    """Why no pod of an object is placed; empty if it has no pods."""
    if not decision.allowed:
        return f"it is refused: {decision.message}"
    placement = decision.placement
    if placement is None or (placement.outlook is Outlook.NOW and not placement.message):
        return ""
    said = [finding.message for finding in decision.findings if finding.rule.startswith("PLACE-") and finding.severity is not Severity.NOTE]
    return next(iter(said), placement.message) or "no node can run its pods"
