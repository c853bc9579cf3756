"""What a ModelPool is made of: the services that share its GPU slot, and what keeps the operator from looking after it.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.durations import parse_problem
from policies.facts import Facts
from policies.families.family import spec_of
from policies.families.llmkube.subject.references import model_of
from policies.fields import items, part, text
from policies.objects import JSONObject


def member_names(pool: JSONObject | None) -> list[str]:
    """The names of a pool's members, as listed."""
    return [text(part(member, "inferenceServiceRef"), "name") for member in items(spec_of(pool), "members")]


def budget_problem(pool: JSONObject | None) -> str:
    """Why the operator can't read a pool's `swapBudget`; empty where it can."""
    budget = spec_of(pool).get("swapBudget")
    return parse_problem(budget) if isinstance(budget, str) else ""


def is_metal(service: JSONObject, namespace: str, facts: Facts, config: Configuration) -> bool:
    """Whether a service's Model is known and served by a host's agent, which no pool can hold back."""
    model = model_of(service, namespace, facts, config)
    return text(part(spec_of(model), "hardware"), "accelerator") == "metal"
