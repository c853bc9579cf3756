"""The names of rules as a user writes them to choose some: an id, the beginning of ids, or a pattern."""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.config.sections import POLICY_PREFIX
from weighbridge.policies.config.selection import covers, is_pattern
from weighbridge.webhook.texts.rule_addresses import known_rules, meant_rule


def chooses(written: str, rule: str) -> bool:
    """Whether a text chooses a rule: by its id, a pattern, or its beginning up to a hyphen (``LLMKUBE``)."""
    return covers(written, rule) or rule.startswith(f"{written}-")


def chosen_by(written: Iterable[str], rule: str) -> str:
    """The first of several texts that chooses a rule; empty if none does."""
    return next((each for each in written if chooses(each, rule)), "")


def trouble_with_rules(written: str) -> str:
    """The message that a text chooses no rule, with the nearest one; empty if it chooses one."""
    known = known_rules()
    # The ids of policies are known only with the configuration.
    if any(chooses(written, rule) for rule in known) or POLICY_PREFIX.startswith(f"{written}-") or written.startswith(POLICY_PREFIX):
        return ""
    return f"no rule has an id like {written!r}; weighbridge rules lists them" if is_pattern(written) else trouble_with_id(written)


def trouble_with_id(written: str) -> str:
    """The message that a text isn't a rule's id, with the nearest one; empty if it is one."""
    known = known_rules()
    if written in known or written.startswith(POLICY_PREFIX):
        return ""
    if named := [rule for rule, name in known.items() if name == written.lower()]:
        return f"{written} is {named[0]}: write the id"
    return f"no rule has the id {written!r}; {meant_rule(written, known) or 'weighbridge rules lists them'}"
