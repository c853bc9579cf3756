"""InferenceServices that the other kinds refer to, as they will be in the cluster."""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.objects import JSONObject


def service_applied(facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """The service as it is or will be in the cluster; `None` if it isn't known."""
    return SERVICES.applied(facts, config, namespace, name)
