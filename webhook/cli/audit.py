"""`weighbridge audit`: what mode deny would refuse of what is stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from time import time
from typing import TYPE_CHECKING, Any

import click

from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.spelling import amount
from weighbridge.webhook.cli.configured import configured, configured_once
from weighbridge.webhook.cli.options import (
    cluster_option,
    config_option,
    context_option,
    crds_option,
    isolated_option,
    kubeconfig_option,
    release_option,
    settings_option,
    verbose_option,
    versions,
)
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.texts.cells import one_line, width
from weighbridge.webhook.texts.streams import complain

if TYPE_CHECKING:
    from weighbridge.policies.config import Configuration
    from weighbridge.policies.facts import Facts
    from weighbridge.policies.ground.findings import Decision
    from weighbridge.webhook.change_report.upgrade import UpgradeReport
    from weighbridge.webhook.cli.cluster_state import ClusterState
    from weighbridge.webhook.cluster.report_forms import ReportForm
    from weighbridge.webhook.inputs.stored import JudgedObject

_NOBODY = "-"


@dataclass(slots=True)
class _Row:
    """The objects of one namespace and owner that one rule refuses."""

    unchanged: set[str] = field(default_factory=set)
    anew: set[str] = field(default_factory=set)


@click.command("audit")
@cluster_option
@kubeconfig_option
@context_option
@crds_option
@config_option
@click.option(
    "--kubernetes-version",
    "kubernetes",
    metavar="VERSION[,VERSION]",
    callback=versions,
    help="The Kubernetes release to judge by. If it isn't the cluster's, or if there are several, show what the upgrade changes.",
)
@release_option
@settings_option
@isolated_option
@verbose_option
@click.option(
    "--report",
    is_flag=True,
    help="Write what is found into the cluster, as a report on each object (OpenReports, or PolicyReports where only these are installed),"
    " and remove the reports that no longer hold.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json", "openreports"]),
    default="text",
    show_default=True,
    help="openreports: what --report would write, as manifests.",
)
def command(
    cluster: tuple[str, ...],
    kubeconfig: str | None,
    context: str | None,
    crds: tuple[str, ...],
    config: str | None,
    kubernetes: tuple[str, ...],
    release: tuple[str, ...],
    settings: str | None,
    isolated: bool,
    verbose: bool,
    report: bool,
    output: str,
) -> int:
    """List the stored objects that the webhook would refuse in mode deny.

    It judges each of them twice: as an update that changes nothing, and as a creation. If --kubernetes-version or --release names another
    release than the cluster's, it shows what that upgrade changes for each object.

    Without --cluster it reads the live cluster, with GET only. Exit code 0: nothing would be refused, 1: something would be refused (in an
    upgrade: something that was accepted before, or that no node can run any more), 2: something could not be read.

    With --report exit code 0 means that the reports are written, whatever they contain.
    """
    from weighbridge.policies.config import DEFAULT
    from weighbridge.webhook.cli.cluster_state import cluster_state
    from weighbridge.webhook.inputs.facts import facts_of, load_configuration
    from weighbridge.webhook.inputs.stored import judged_objects

    run = settled({"config": config, "crds": crds, "kubernetes-version": kubernetes}, file=settings, isolated=isolated)
    configuration = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    form = _form(cluster, kubeconfig, context) if report else None
    # The server doesn't call the webhook for objects that its policies refuse, so the reports' account needn't read them.
    state = cluster_state(cluster, kubeconfig, context, policies=form is None)
    unread = _unread(state)
    versions_named, crds = run.words("kubernetes-version") or ("",), run.texts("crds")
    if any(versions_named) or release:
        upgrade = _upgrade(state, unread, crds, configuration, versions_named, release)
        if upgrade is not None:
            if report or output == "openreports":
                raise click.UsageError("reports show the cluster as it is; leave out --kubernetes-version and --release")
            click.echo(upgrade.json() if output == "json" else "\n".join(upgrade.text(verbose=verbose)))
            return _code(unread, fails=upgrade.breaks)
    facts = facts_of(state.objects, state.extent, crds, config=configuration, kubernetes=versions_named[0], source=state.source)
    configuration = configured(configuration, facts)
    judged = list(judged_objects(facts, configuration))
    # The reports are written first, since the reader of the output may stop.
    outcome = _kept(judged, configuration, form, unread, kubeconfig, context) if form is not None else ""
    if output == "openreports":
        from weighbridge.webhook.openreports.document import manifests

        click.echo(manifests(judged, configuration, int(time())), nl=False)
    else:
        click.echo(_json(judged, unread) if output == "json" else "\n".join(_table(judged, verbose=verbose)))
    if outcome:
        complain(outcome)
    return _code(unread, fails=form is None and any(not one.unchanged.allowed or not one.anew.allowed for one in judged))


def _form(cluster: Sequence[str], kubeconfig: str | None, context: str | None) -> ReportForm:
    """The form of reports that the live cluster accepts, which is checked before the cluster is read."""
    if cluster:
        raise click.UsageError("--report writes into the live cluster, so leave out --cluster; -o openreports writes the same here")
    from weighbridge.webhook.openreports.keeper import installed_form

    return installed_form(kubeconfig, context)


def _kept(
    judged: Sequence[JudgedObject],
    config: Configuration,
    form: ReportForm,
    unread: Sequence[str],
    kubeconfig: str | None,
    context: str | None,
) -> str:
    """Write the reports. Returns how many were written and removed."""
    from weighbridge.webhook.openreports.document import reports_on
    from weighbridge.webhook.openreports.keeper import keep

    return str(keep(kubeconfig, context, form, reports_on(judged, form, config, int(time())), unread))


def _code(unread: Sequence[str], *, fails: bool) -> int:
    """Return the exit code, and report what couldn't be read."""
    if unread:
        complain(f"Error: not judged, since it can't be read: {', '.join(unread)}; run it as a user who may list that")
        return 2
    return int(fails)


def _upgrade(
    state: ClusterState,
    unread: Sequence[str],
    crds: Sequence[str],
    config: Configuration,
    kubernetes: Sequence[str],
    release: Sequence[str],
) -> UpgradeReport | None:
    """What the upgrade to the named releases changes; `None` if they are those of the cluster."""
    from weighbridge.webhook.change_report.upgrade import UpgradeReport
    from weighbridge.webhook.inputs.facts import facts_of
    from weighbridge.webhook.inputs.releases import ChosenRelease, chosen_releases, groups_of, steps_from
    from weighbridge.webhook.inputs.upgraded import Upgrade, is_crd

    def read(version: str, own: Configuration, chosen: Sequence[ChosenRelease]) -> Facts:
        groups = groups_of(chosen)
        return facts_of(state.objects, state.extent, crds, config=own, kubernetes=version, source=state.source, chosen=groups)

    steps = steps_from(read, config, state.extent.server, kubernetes, chosen_releases(release))
    if len(steps) == 1:
        if not state.extent.server:
            complain("Note: the cluster's own release isn't known, so nothing is compared; name both, as --kubernetes-version 1.36,1.37")
        return None
    said = set[str]()
    bases = [replace(basis, config=configured_once(basis.config, basis.facts, said)) for basis in steps]
    report = UpgradeReport([basis.release for basis in bases], unread)
    upgrade = Upgrade(bases)
    for obj in upgrade.stored():
        report.objects, report.crds = report.objects + (not is_crd(obj)), report.crds + is_crd(obj)
        report.found += upgrade.changes_of(obj)
    return report


def _unread(state: ClusterState) -> list[str]:
    """The kinds that may have objects that weren't judged."""
    from weighbridge.policies.facts.document import kind_text
    from weighbridge.policies.families import families

    judged = {(kind.gvk.group, kind.gvk.kind) for family in families() for kind in family.kinds}
    return sorted(map(kind_text, judged & state.extent.not_known))


def _refusals(one: JudgedObject) -> Iterator[tuple[str, bool, Any]]:
    """The rule, whether an update that changes nothing is refused, and the finding."""
    from weighbridge.webhook.inputs.stored import errors

    for is_update, decision in ((True, one.unchanged), (False, one.anew)):
        for finding in errors(decision):
            yield finding.rule, is_update, finding


def _table(judged: Sequence[JudgedObject], *, verbose: bool) -> Iterator[str]:
    rows: dict[tuple[str, str, str], _Row] = {}
    for one in judged:
        for rule, is_update, _ in _refusals(one):
            row = rows.setdefault((one.namespace or _NOBODY, rule, one.owner or _NOBODY), _Row())
            (row.unchanged if is_update else row.anew).add(one.label)
    if rows:
        head = ("NAMESPACE", "RULE", "OWNER", "UPDATES", "CREATIONS")
        lines = [(*map(one_line, key), str(len(row.unchanged)), str(len(row.anew))) for key, row in sorted(rows.items())]
        # An object that several rules refuse is in several rows.
        total = ("in all", "", "", *(str(sum(map(_is_refused, decisions))) for decisions in _decisions(judged)))
        yield from _aligned([head, *lines, total])
        yield ""
    if verbose:
        yield from _details(judged)
    yield from _not_checked(judged, verbose=verbose)
    updates, creations = (sum(map(_is_refused, decisions)) for decisions in _decisions(judged))
    unchecked = sum(bool(one.anew.unchecked) for one in judged)
    objects = "1 object" if len(judged) == 1 else f"{len(judged)} objects"
    yield (
        f"{objects}: mode deny would refuse {updates} as they are and {creations} if they were created anew; {unchecked} not fully checked"
    )


def _is_refused(decision: Decision) -> bool:
    return not decision.allowed


def _unchecked(judged: Sequence[JudgedObject]) -> dict[str, list[str]]:
    """What couldn't be checked, and for which objects."""
    found: dict[str, list[str]] = {}
    for one in judged:
        where = f"{one.namespace}/{one.label}" if one.namespace else one.label
        for entry in dict.fromkeys(f"{entry.subject}: {entry.reason}" for entry in one.anew.unchecked):
            found.setdefault(entry, []).append(where)
    return dict(sorted(found.items()))


def _not_checked(judged: Sequence[JudgedObject], *, verbose: bool) -> Iterator[str]:
    """A line for each reason with the number of its objects, and with `verbose` their names."""
    for reason, objects in _unchecked(judged).items():
        yield one_line(f"not checked: {reason} ({amount(len(objects), 'object')})")
        yield from (one_line(f"  {name}") for name in objects if verbose)


def _decisions(judged: Sequence[JudgedObject]) -> Iterator[list[Decision]]:
    yield [one.unchanged for one in judged]
    yield [one.anew for one in judged]


def _details(judged: Iterable[JudgedObject]) -> Iterator[str]:
    for one in judged:
        where = f"{one.namespace}/{one.label}" if one.namespace else one.label
        for rule, is_update, finding in _refusals(one):
            yield one_line(f"{where}: {rule} {finding}{'' if is_update else ' (on creation)'}")


def _aligned(lines: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell + " " * (room - width(cell)) for cell, room in zip(line, widths, strict=True)).rstrip()


def _json(judged: Sequence[JudgedObject], unread: Sequence[str]) -> str:
    refused = [_record(one) for one in judged if not one.unchanged.allowed or not one.anew.allowed]
    updates, creations = (sum(not decision.allowed for decision in decisions) for decisions in _decisions(judged))
    counts = {"objects": len(judged), "updatesRefused": updates, "creationsRefused": creations}
    counts["unchecked"] = sum(bool(one.anew.unchecked) for one in judged)
    missing = [{"reason": reason, "objects": objects} for reason, objects in _unchecked(judged).items()]
    return json.dumps({**counts, "notRead": list(unread), "refused": refused, "notChecked": missing}, indent=2)


def _record(one: JudgedObject) -> dict[str, Any]:
    return {
        "apiVersion": one.object.get("apiVersion"),
        "kind": one.object.get("kind"),
        "namespace": one.namespace,
        "name": one.label.partition("/")[2],
        "owner": one.owner,
        "update": {"allowed": one.unchanged.allowed, "message": one.unchanged.message},
        "creation": {"allowed": one.anew.allowed, "message": one.anew.message},
        "findings": [{**finding.as_json(), "operation": "UPDATE" if is_update else "CREATE"} for _, is_update, finding in _refusals(one)],
    }
