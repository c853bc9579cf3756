"""The page and the file of a rule, as paths in the project: ``docs/rules/llmkube.md#llmkube-008-gpu-not-in-cluster``.

Rules are found by the names of their files, so that no family has to be imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from weighbridge.policies import families
from weighbridge.policies.families import family_names
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.spelling import close_matches, closest
from weighbridge.policies.verdict.general_rules import GENERAL_RULES

FOLDER: Final = "docs/rules"
GENERAL: Final = "general.md"
_MODULE: Final = expression(r"([a-z]+_\d{3})_([a-z0-9_]+)")
#: Numbers with fewer digits are read; Python refuses to read very long ones.
_DIGITS: Final = 10


def address_of(rule_id: str) -> str:
    """The address of a rule's page; empty if no rule has this id."""
    return _addresses().get(rule_id, "")


def file_of(rule_id: str) -> str:
    """The file of a rule; for a general rule the module that makes its findings. Empty if no rule has this id."""
    return _files().get(rule_id, "")


def known_rules() -> dict[str, str]:
    """The names of all rules, by their ids."""
    return {rule: page.rpartition("#")[2][len(rule) + 1 :] for rule, page in _addresses().items()}


def nearest_rule(written: str, known: Iterable[str]) -> str:
    """The id that was probably meant, or an empty text: one with the same number, which may lack leading zeros."""
    prefix, _, number = written.upper().rpartition("-")
    if number.isascii() and number.isdecimal():
        ending = f"-{number.lstrip('0'):0>3}"
        alike = closest(prefix + ending, [rule for rule in known if rule.endswith(ending)])
        return alike or next(iter(close_matches(written.upper(), known, n=1)), "")
    return closest(written.upper(), [*dict.fromkeys(rule.rpartition("-")[0] for rule in known)])


def meant_rule(written: str, known: Iterable[str]) -> str:
    """What to write instead of an id that no rule has; an empty text where none is near. A number can be above all of its prefix."""
    known = list(known)
    prefix, _, number = written.upper().rpartition("-")
    own = [int(rule.rpartition("-")[2]) for rule in known if rule.rpartition("-")[0] == prefix]
    if own and number.isascii() and number.isdecimal() and len(number) < _DIGITS and int(number) > max(own):
        return f"the rules of {prefix} go to {prefix}-{max(own):03}"
    near = nearest_rule(written, known)
    return f"did you mean {near}?" if near else ""


def with_page(finding: Finding) -> JSONObject:
    """A finding as a record for reports, with the address of its page."""
    page = address_of(finding.rule)
    return finding.as_json() | ({"page": page} if page else {})


def file_name(family_name: str) -> str:
    """The name of a family's page."""
    return f"{family_name.replace('_', '-')}.md"


def anchor(rule_id: str, name: str) -> str:
    """The anchor of a rule on its page."""
    return f"{rule_id} {name}".lower().replace(" ", "-")


@cache
def _addresses() -> dict[str, str]:
    found = {rule.id: f"{FOLDER}/{GENERAL}#{anchor(rule.id, rule.name)}" for rule in GENERAL_RULES}
    for family_name, rule_id, name, _ in _modules():
        found[rule_id] = f"{FOLDER}/{file_name(family_name)}#{anchor(rule_id, name)}"
    return found


@cache
def _files() -> dict[str, str]:
    found = {rule.id: rule.place for rule in GENERAL_RULES}
    return found | {rule_id: f"policies/families/{family_name}/rules/{module}.py" for family_name, rule_id, _, module in _modules()}


def _modules() -> Iterator[tuple[str, str, str, str]]:
    """The modules of rules: family, id, name and module."""
    for family_name in family_names():
        for module, _ in modules_in(os.path.join(folder, family_name, "rules") for folder in families.__path__):
            if match := _MODULE.fullmatch(module):
                rule_id, name = (part.replace("_", "-") for part in match.groups())
                yield family_name, rule_id.upper(), name, module
