"""The configuration of a command: in force now, with the sections that the namespaces of its facts bring."""

from __future__ import annotations

from datetime import UTC, datetime

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.webhook.cache.inputs import holds_until, not_repeatable
from weighbridge.webhook.configuration.namespace_configuration import in_force, troubles
from weighbridge.webhook.texts.streams import complain


def configured_once(config: Configuration, facts: Facts, said: set[str]) -> Configuration:
    """The configuration in force; ignored parts go to standard error, unless they were `said` before about another one."""
    standing = in_force(config, facts, datetime.now(UTC))
    if standing.next_end is not None:
        holds_until(standing.next_end.timestamp())
    if standing.policies is not None and standing.policies.asks_for_the_time:
        not_repeatable()
    for trouble in troubles(standing):
        if trouble not in said:
            said.add(trouble)
            complain(f"Warning: {trouble}")
    return standing


def configured(config: Configuration, facts: Facts) -> Configuration:
    """The configuration in force; what is ignored of it goes to standard error."""
    return configured_once(config, facts, set())
