"""References to InferenceServices from the other kinds: whether they lead anywhere, and where they were perhaps meant to."""

from __future__ import annotations

import difflib

from policies.config import Configuration
from policies.facts import Facts
from policies.families.llmkube.defaults.service_fields import fill as fill_service
from policies.families.llmkube.subject.references import GROUP, find
from policies.objects import JSONObject, name_of

UNKNOWN = "not all InferenceServices of the cluster are known"


def service_named(facts: Facts, namespace: str, name: str) -> JSONObject | None:
    """The service as it is known; `None` where it isn't."""
    found = facts.objects.get(GROUP, "InferenceService", namespace, name)
    return found if isinstance(found, dict) else None


def service_applied(facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """The service as it stands or will stand in the cluster; `None` where it isn't known."""
    return find("InferenceService", namespace, name, facts, config, fill_service)


def is_missing(facts: Facts, namespace: str, name: str) -> bool | None:
    """Whether there is no such service; `None` where that isn't known."""
    if service_named(facts, namespace, name) is not None:
        return False
    return True if facts.objects.knows_all(GROUP, "InferenceService") else None


def nearest_services(facts: Facts, namespace: str, name: str) -> str:
    """The service of the namespace whose name comes closest, else the first few."""
    names = sorted(map(name_of, facts.objects.list(GROUP, "InferenceService", namespace)))
    return ", ".join(difflib.get_close_matches(name, names, n=1) or names[:3])
