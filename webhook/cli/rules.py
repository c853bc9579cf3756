"""`weighbridge rules`: the catalogue, from the rules themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.spelling import closest
from weighbridge.policies.verdict.general_rules import GENERAL_RULES, GeneralRule
from weighbridge.webhook.cli.options import complete_rules, config_option
from weighbridge.webhook.cli.written import write_files
from weighbridge.webhook.inputs.rule_examples import examples_of, sections
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.rule_addresses import file_of, meant_rule


@click.command("rules")
@click.argument("rule_id", required=False, metavar="[ID|NAME]", shell_complete=complete_rules)
@click.option("--explain-cel", metavar="CRD[#FIELD]", help="Show the CEL rules of a CRD instead (a file, or the name of a bundled one).")
@click.option(
    "--write", type=click.Path(file_okay=False, path_type=Path), help="Write docs/rules and docs/families below this folder instead."
)
@config_option
@click.option(
    "-o", "--output", type=click.Choice(["text", "json", "markdown", "rbac"]), default="text", show_default=True, help="What is written."
)
def command(rule_id: str | None, explain_cel: str | None, write: Path | None, config: str | None, output: str) -> int:
    """List the rules, or show one, by its id or name, with its reason, source and examples.

    The policies of --config are among them; -o markdown is a page of the policies alone.

    --explain-cel shows each CEL rule with its type, its estimated cost, and the Python that it is compiled to. -o rbac prints the
    ClusterRoles that permit what the rules, the defaults and the placement read of a cluster.
    """
    if explain_cel is not None:
        return _explain(explain_cel, rule_id, output)
    if output == "rbac":
        return _permissions(rule_id)
    if write is not None:
        return _write(write)
    if config is not None or output == "markdown":
        return _with_policies(rule_id, config, output)
    return _shown(rule_id, output, ())


def _with_policies(rule_id: str | None, config: str | None, output: str) -> int:
    """Show rules and the policies of a configuration."""
    from weighbridge.webhook.cli.pages.policies import chosen, markdown, page, policies_of, record

    if config is None:
        raise click.UsageError("-o markdown is a page of policies; name their configuration with --config")
    own = chosen(policies_of(config), rule_id)
    if output == "markdown":
        click.echo("\n".join(markdown(own)))
    elif rule_id is not None and own:
        click.echo(json.dumps([record(own[0])], indent=2) if output == "json" else "\n".join(page(own[0])))
    else:
        return _shown(rule_id, output, [(f"{policy.id:12} {policy.severity:8} {policy.name}", record(policy)) for policy in own])
    return 0


def _shown(rule_id: str | None, output: str, more: Sequence[tuple[str, JSONObject]]) -> int:
    """Show rules; `more` has lines and records of policies."""
    catalogue = [(family, rule) for family in families() for rule in family.rules()]
    chosen = [entry for entry in catalogue if rule_id is None or rule_id.upper() in {entry[1].id, entry[1].name.upper()}]
    if not chosen and rule_id is not None:
        general = next((rule for rule in GENERAL_RULES if rule_id.upper() in {rule.id, rule.name.upper()}), None)
        if general is not None:
            click.echo(_general(general, output))
            return 0
    if not chosen:
        meant = _meant(rule_id or "", [*(rule for _, rule in catalogue), *GENERAL_RULES])
        raise InputError(f"{rule_id}: no such rule; {meant or f'weighbridge rules lists all {len(catalogue) + len(GENERAL_RULES)}'}")
    if output == "json":
        records = [_record(family, rule) for family, rule in chosen] + [_general_record(rule) for rule in GENERAL_RULES if rule_id is None]
        click.echo(json.dumps([*records, *(record for _, record in more)], indent=2))
    elif rule_id is None:
        listed: list[Rule | GeneralRule] = [*(rule for _, rule in chosen), *GENERAL_RULES]
        for rule in listed:
            click.echo(f"{rule.id:12} {rule.severity:8} {rule.name}")
        for line, _ in more:
            click.echo(line)
    else:
        click.echo("\n".join(_page(*chosen[0])))
    return 0


def _meant(wanted: str, rules: Sequence[Rule | GeneralRule]) -> str:
    """What to write instead of an id or a name, or an empty string."""
    if wanted.rpartition("-")[2].isdecimal():
        return meant_rule(wanted, [rule.id for rule in rules])
    near = closest(wanted.lower(), [rule.name for rule in rules])
    return f"did you mean {near}?" if near else ""


def _explain(wanted: str, rule_id: str | None, output: str) -> int:
    from weighbridge.webhook.cli.pages.cel import explanations, text_of

    if rule_id is not None or output == "rbac":
        raise click.UsageError("--explain-cel can't be combined with ID or -o rbac")
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
        "file": file_of(rule.id),
        **_examples(family, rule),
    }


def _examples(family: Family, rule: Rule) -> JSONObject:
    found = examples_of(family, rule)
    sides = {"good": found.good.with_both(found.both), "bad": found.bad.with_both(found.both)} if found is not None else {}
    return {side: {part: text for part, text in asdict(example).items() if text} for side, example in sides.items()}


def _page(family: Family, rule: Rule) -> Iterable[str]:
    yield f"{rule.id} {rule.name} ({rule.severity}; {family.title}: {', '.join(rule.kinds)}; since {rule.since})"
    yield ""
    yield rule.page.strip()
    yield f"\nFile: {file_of(rule.id)}"
    found = examples_of(family, rule)
    for title, texts in sections(rule, found) if found is not None else ():
        yield f"\n{title}:"
        for said, text in texts:
            yield f"\n  {said}:\n" if said else ""
            yield from (f"    {line}".rstrip() for line in text.splitlines())


def _general(rule: GeneralRule, output: str) -> str:
    if output == "json":
        return json.dumps([_general_record(rule)], indent=2)
    return f"{rule.id} {rule.name} ({rule.severity})\n\n{rule.page}\n\nFile: {file_of(rule.id)}"


def _general_record(rule: GeneralRule) -> JSONObject:
    return asdict(rule) | {"file": file_of(rule.id)}


def _permissions(rule_id: str | None) -> int:
    from weighbridge.webhook.cluster.permissions import cluster_roles
    from weighbridge.webhook.texts.yaml_text import yaml_text

    if rule_id is not None:
        raise click.UsageError("-o rbac is of all rules")
    click.echo("---\n".join(map(yaml_text, cluster_roles())), nl=False)
    return 0


def _write(folder: Path) -> int:
    from weighbridge.webhook.cli.pages import families as family_pages
    from weighbridge.webhook.cli.pages import rules as rule_pages

    for name, pages in {"rules": rule_pages.pages(), "families": family_pages.pages()}.items():
        write_files(folder / "docs" / name, pages)
    return 0
