"""Violations for the objections of upstream's webhook to a router."""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import objections


def objected(router: Given, *topics: Topic, hint: str = "") -> Said:
    """The webhook's objections on these topics, in its own words."""
    for objection in objections(router.object, *topics):
        yield Violation(objection.path, objection.detail, hint=hint)
