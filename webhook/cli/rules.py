"""`weighbridge rules`: the catalogue, from the rules themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from policies.families import families
from policies.families.family import Family, Rule
from policies.objects import JSONObject
from webhook.errors import InputError


@click.command("rules")
@click.argument("rule_id", required=False, metavar="ID")
@click.option("--explain-cel", metavar="CRD[#FIELD]", help="Show instead the CEL rules of a CRD (a file, or a bundled one's name).")
@click.option("-o", "--output", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def command(rule_id: str | None, explain_cel: str | None, output: str) -> int:
    """List the rules, or show one with its reason, source and examples.

    With --explain-cel each CEL rule is shown with its type, its estimated cost, and the Python that it is compiled to.
    """
    if explain_cel is not None:
        return _explain(explain_cel, rule_id, output)
    catalogue = [(family, rule) for family in families() for rule in family.rules()]
    chosen = [entry for entry in catalogue if rule_id is None or entry[1].id == rule_id.upper()]
    if not chosen:
        raise InputError(f"{rule_id}: no such rule; weighbridge rules lists all {len(catalogue)}")
    if output == "json":
        click.echo(json.dumps([_record(family, rule) for family, rule in chosen], indent=2))
    elif output == "markdown":
        click.echo("\n".join(_markdown(chosen)))
    elif rule_id is None:
        for _, rule in chosen:
            click.echo(f"{rule.id:12} {rule.severity:8} {rule.name}")
    else:
        click.echo("\n".join(_page(*chosen[0])))
    return 0


def _explain(wanted: str, rule_id: str | None, output: str) -> int:
    from webhook.cli.explain_cel import explanations, text_of

    if rule_id is not None or output == "markdown":
        raise click.UsageError("--explain-cel goes with neither ID nor -o markdown")
    found = explanations(wanted)
    if output == "json":
        click.echo(json.dumps([{"kind": kind, **explanation.as_json()} for kind, explanation in found], indent=2))
    else:
        click.echo("\n".join(text_of(found)))
    return 0


def _record(family: Family, rule: Rule) -> JSONObject:
    return {
        "id": rule.id,
        "name": rule.name,
        "family": family.name,
        "severity": str(rule.severity),
        "kinds": list(rule.kinds),
        "since": rule.since,
        "source": rule.source,
        "mirrors": rule.mirrors,
        "reads": list(rule.reads),
        "page": rule.page.strip(),
        "good": rule.good,
        "bad": rule.bad,
    }


def _page(family: Family, rule: Rule) -> Iterable[str]:
    yield f"{rule.id} {rule.name} ({rule.severity}; {family.title}: {', '.join(rule.kinds)}; since {rule.since})"
    yield ""
    yield rule.page.strip()
    for title, example in (("Refused or warned of", rule.bad), ("Fine", rule.good)):
        yield f"\n{title}:\n"
        yield from (f"    {line}" for line in example.splitlines())


def _markdown(catalogue: list[tuple[Family, Rule]]) -> Iterable[str]:
    yield "# Rules"
    yield ""
    yield "Written by `make schemas` from the rules themselves. An error refuses, a warning is shown; `rules` in the configuration"
    yield "changes that."
    for family in dict.fromkeys(family.title for family, _ in catalogue):
        yield f"\n## {family}"
        for owner, rule in catalogue:
            if owner.title == family:
                summary, _, rest = rule.page.strip().partition("\n\n")
                yield f"\n### {rule.id} {rule.name}\n"
                yield f"**{' '.join(summary.split())}** ({rule.severity}; {', '.join(rule.kinds)}; since {rule.since})\n"
                yield rest
                yield f"\n```yaml\n# refused or warned of\n{rule.bad}\n---\n# fine\n{rule.good}\n```"
