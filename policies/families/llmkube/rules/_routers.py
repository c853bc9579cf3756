"""What rules say of a router that upstream's webhook objects to."""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import objections


def objected(router: Given, *topics: Topic, hint: str = "") -> Said:
    """What upstream's webhook objects to on these topics, in its own words."""
    for objection in objections(router.object, *topics):
        yield Violation(objection.path, objection.detail, hint=hint)
