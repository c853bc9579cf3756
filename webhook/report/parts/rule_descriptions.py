"""The descriptions of rules in SARIF: name, first sentence, page and usual level. Only rules with findings are loaded."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from weighbridge.policies import families
from weighbridge.policies.families import family_names
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.general_rules import GENERAL_RULES, GeneralRule
from weighbridge.webhook.report.parts.entries import INPUT, UNCHECKED

if TYPE_CHECKING:
    from weighbridge.policies.config.policies import Policy

_TEXT: Final = GeneralRule(
    INPUT,
    "unreadable-text",
    Severity.ERROR,
    """The text can't be read as kubectl reads it, or kubectl reads something else than was meant.

The message says what is wrong at this place, and what to write instead.""",
)
_UNCHECKED: Final = GeneralRule(
    UNCHECKED,
    "not-checked",
    Severity.WARNING,
    """Something wasn't checked for lack of facts, and `--fail-on` counts that.

The message names what wasn't checked, with the reason. Give the missing facts, such as the CRD (`--crds`) or the cluster's objects
(`--cluster`).""",
)
#: The most characters that GitHub accepts in a description.
_LONGEST: Final = 1000


def descriptions_of(rule_ids: Iterable[str], policies: Iterable[Policy] = ()) -> list[JSONObject]:
    """The descriptions of rules, in the given order; `policies` are those of the configuration."""
    own = (GeneralRule(policy.id, policy.name, policy.severity, policy.page) for policy in policies)
    general = {rule.id: rule for rule in (*GENERAL_RULES, _TEXT, _UNCHECKED, *own)}
    return [_described(rule_id, general.get(rule_id) or _of_family(rule_id)) for rule_id in rule_ids]


def _of_family(rule_id: str) -> Rule | None:
    """A rule of a family, found by the name of its file."""
    prefix = f"{rule_id.lower().replace('-', '_')}_"
    for family in family_names():
        for module, _ in modules_in(os.path.join(folder, family, "rules") for folder in families.__path__):
            if module.startswith(prefix):
                found = importlib.import_module(f"{families.__name__}.{family}.rules.{module}").check
                return found if isinstance(found, Rule) else None
    return None


def _described(rule_id: str, rule: Rule | GeneralRule | None) -> JSONObject:
    if rule is None:
        # A rule that this release doesn't have, or the id for faults of a text.
        text = {"text": rule_id}
        return {"id": rule_id, "shortDescription": text, "fullDescription": text, "help": text}
    first, _, rest = rule.page.strip().partition("\n\n")
    summary = " ".join(first.split())
    whole = f"{summary}\n\n{rest}".strip()
    family = rule_id.partition("-")[0].lower()
    return {
        "id": rule_id,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": summary[:_LONGEST]},
        "fullDescription": {"text": " ".join(whole.split())[:_LONGEST]},
        "help": {"text": whole, "markdown": f"**{rule_id} {rule.name}**\n\n{whole}"},
        "defaultConfiguration": {"level": str(rule.severity)},
        "properties": {"tags": ["kubernetes", family], "precision": "very-high"},
    }
