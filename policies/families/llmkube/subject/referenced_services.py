"""InferenceServices that the other kinds refer to, as they will stand in the cluster."""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.llmkube.fill.service_fields import fill
from policies.families.llmkube.subject.references import SERVICES
from policies.ground.objects import JSONObject


def service_applied(facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """The service as it stands or will stand in the cluster; `None` where it isn't known."""
    return SERVICES.applied(facts, config, namespace, name, fill)
