"""Violations for the objections of upstream's webhook to a router."""

from collections.abc import Callable

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import objections
from weighbridge.policies.ground.objects import Path


def objected(router: Given, *topics: Topic, hint: str | Callable[[Path], str] = "") -> Said:
    """The webhook's objections on these topics, in its own words, with a hint that may depend on the field."""
    for objection in objections(router.object, *topics):
        yield Violation(objection.path, objection.detail, hint=hint if isinstance(hint, str) else hint(objection.path))
