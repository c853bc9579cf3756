"""The configuration that a command judges by: in force now, and with what the namespaces of its facts bring."""

from __future__ import annotations

from datetime import UTC, datetime

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.webhook.cache.inputs import holds_until
from weighbridge.webhook.configuration.namespace_configuration import in_force, troubles
from weighbridge.webhook.texts.streams import complain


def configured(config: Configuration, facts: Facts) -> Configuration:
    """The configuration in force; what is ignored of it goes to standard error."""
    standing = in_force(config, facts, datetime.now(UTC))
    if standing.next_end is not None:
        holds_until(standing.next_end.timestamp())
    for trouble in troubles(standing):
        complain(f"Warning: {trouble}")
    return standing
