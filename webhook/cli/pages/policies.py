"""How `weighbridge rules --config` shows the policies of a configuration: in the list, one by one, and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.config.policies import Policies, Policy
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.texts.rule_addresses import anchor

FAMILY = "policies"


def policies_of(config: str) -> Policies:
    """The policies of a configuration file. Raises InputError."""
    from weighbridge.webhook.inputs.facts import load_configuration

    return load_configuration(config).policies or Policies(())


def chosen(policies: Policies, wanted: str | None) -> list[Policy]:
    """The chosen policies: the one with an id or a name, or all."""
    return [policy for policy in policies if wanted is None or wanted.upper() in {policy.id, policy.name.upper()}]


def record(policy: Policy) -> JSONObject:
    """A policy as `-o json` has it, in the form of a rule."""
    return {
        "id": policy.id,
        "name": policy.name,
        "family": FAMILY,
        "severity": str(policy.severity),
        "kinds": list(policy.match.kinds),
        "page": policy.page,
        "variables": {entry.name: entry.expression for entry in policy.variables},
        "validations": [entry.expression for entry in policy.validations],
        "fillIns": {entry.field_path: entry.expression for entry in policy.fill_ins},
    }


def page(policy: Policy) -> Iterator[str]:
    """A policy in the terminal."""
    yield f"{policy.id} {policy.name} ({policy.severity}; configuration: {_kinds(policy)})"
    yield ""
    yield policy.page
    if policy.validations:
        yield "\nIt must be true:\n"
    for entry in policy.validations:
        yield from (f"    {line}" for line in entry.expression.rstrip().splitlines())
    if policy.fill_ins:
        yield "\nIt fills in:\n"
    for filled in policy.fill_ins:
        first, *others = filled.expression.strip().splitlines() or [""]
        yield f"    {filled.field_path}: {first}"
        yield from (f"      {line}" for line in others)


def markdown(policies: Iterable[Policy]) -> Iterator[str]:
    """A page of policies, in the form of those in docs/rules."""
    own = list(policies)
    yield "# Policies\n"
    yield "| policy | | of | what it reports |"
    yield "|---|---|---|---|"
    for policy in own:
        yield f"| [{policy.id}](#{anchor(policy.id, policy.name)}) | {policy.severity} | {_kinds(policy)} | {_summary(policy)} |"
    for policy in own:
        yield f"\n## {policy.id} {policy.name}\n"
        yield f"**{_summary(policy)}** ({policy.severity}; {_kinds(policy)})"
        rest = policy.page.partition("\n\n")[2].strip()
        yield f"\n{rest}" if rest else ""
        if policy.validations:
            yield "\n#### What must be true\n"
            yield "\n\n".join(f"```cel\n{entry.expression.strip()}\n```" for entry in policy.validations)
        if policy.fill_ins:
            yield "\n#### What is filled in\n"
            yield "\n\n".join(f"`{entry.field_path}`\n\n```cel\n{entry.expression.strip()}\n```" for entry in policy.fill_ins)


def _kinds(policy: Policy) -> str:
    return ", ".join(policy.match.kinds) or "every kind"


def _summary(policy: Policy) -> str:
    return " ".join(policy.page.partition("\n\n")[0].split())
