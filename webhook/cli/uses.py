"""`weighbridge uses`: who uses an object, across families."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

import click

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.document import kind_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import amount, listed
from weighbridge.policies.verdict.changes import Change, change_of, dependent_kinds
from weighbridge.policies.verdict.impact import label
from weighbridge.policies.verdict.uses import Use, uses
from weighbridge.webhook.change_report.impact import discreet, lines_of
from weighbridge.webhook.cli.cluster_state import cluster_state
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.options import (
    MORE_ARGUMENTS,
    a_namespace,
    cluster_option,
    complete_kinds,
    config_option,
    context_option,
    crds_option,
    kubeconfig_option,
    more_arguments,
    verbose_option,
)
from weighbridge.webhook.inputs.facts import changed_facts, load_configuration
from weighbridge.webhook.inputs.named_objects import parts_of
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8

VERSION: Final = 1
#: The most lines of a difference that are shown without -v.
_MOST: Final = 3


@click.command("uses", context_settings=dict(MORE_ARGUMENTS))
@click.argument("named", metavar="KIND/[NAMESPACE/]NAME", shell_complete=complete_kinds)
@cluster_option
@kubeconfig_option
@context_option
@crds_option
@config_option
@click.option(
    "-n", "--namespace", default="default", show_default=True, callback=a_namespace, help="The namespace of an object that names none."
)
@verbose_option
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How the uses are written.")
def command(
    named: str,
    cluster: tuple[str, ...],
    kubeconfig: str | None,
    context: str | None,
    crds: tuple[str, ...],
    config: str | None,
    namespace: str,
    verbose: bool,
    output: str,
) -> int:
    """Show which objects use a model, runtime, template, configuration, class, claim, pool or picker, and what happens to them without it.

    The kind is named as for kubectl. Without --cluster it reads the live cluster, with GET only. Exit code 0: the objects are listed, 2:
    something could not be read.
    """
    if more := more_arguments():
        whole = f"leave out {' '.join(more)}" if "/" in named else f"write {'/'.join((named, *more))}"
        raise click.UsageError(f"KIND/[NAMESPACE/]NAME is one argument: {whole}")
    parts_of(named)
    configuration = load_configuration(config) if config else DEFAULT
    state = cluster_state(cluster, kubeconfig, context)
    before, after, (used,) = changed_facts(state.objects, state.extent, crds, (), (named,), namespace, configuration, source=state.source)
    change = change_of(used, is_deletion=True)
    if change is None:
        raise InputError(f"{named}: this object has no kind")
    found = uses(change, before, after, configured(configuration, before))
    found = [replace(use, without=discreet(use.without) if use.without is not None else None) for use in found]
    missing = _not_known(change, before)
    if output == "json":
        document = {"version": VERSION, "object": label(used), "usedBy": [use.as_json() for use in found], "notKnown": missing}
        in_utf_8(sys.stdout).write(f"{readable(document)}\n")
    else:
        sys.stdout.writelines(f"{shown(line)}\n" for line in _lines(used, found, missing, is_verbose=verbose))
    return 0


def _lines(used: JSONObject, found: Sequence[Use], missing: Sequence[str], *, is_verbose: bool) -> Iterator[str]:
    yield f"{label(used)}: used by {amount(len(found), 'object')}"
    for use in found:
        yield label(use.object)
        yield from (f"  names it: {field}" for field in use.fields)
        if use.without is not None:
            yield f"  without it: {'breaks' if use.without.breaks else 'resolves differently'}"
            told = list(lines_of(use.without))
            most = len(told) if is_verbose else _MOST
            yield from (f"    {line}" for line in told[:most])
            if len(told) > most:
                yield f"    and {len(told) - most} more (-v shows them)"
    if missing:
        named = listed(missing, most=len(missing) if is_verbose else _MOST)
        more = " (-v shows them)" if len(missing) > _MOST and not is_verbose else ""
        yield f"there may be more, since not all objects of these kinds are known: {named}{more}"


def _not_known(change: Change, facts: Facts) -> list[str]:
    """The kinds that may use the object and that aren't completely known."""
    kinds = {kind.known_as for family in change.readers() for kind in dependent_kinds(change, family)}
    return sorted(kind_text(kind) for kind in kinds if not facts.objects.knows_all(*kind))
