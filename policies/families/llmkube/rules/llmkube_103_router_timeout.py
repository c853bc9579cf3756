"""A router's duration can't be read, or is out of bounds.

Timeouts of backends and rules must be between 100ms and 30m. Upstream's webhook refuses the router otherwise, because a
wrong unit is likely. It can't read a value that isn't a duration, such as `30` or `1 minute`.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, lookup, routers
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK, objections, unreadable_durations


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-a-router-duration-with-a-unit",
    bad="refuses-a-router-duration-without-a-unit",
)
def check(router: Given) -> Said:
    for path, problem in unreadable_durations(router.object):
        found = str(lookup(router.object, path))
        yield Violation(path, problem, found=found, expected="a number with its unit, such as 30s or 1m30s")
    for objection in objections(router.object, Topic.TIMEOUT):
        found = str(lookup(router.object, objection.path))
        yield Violation(objection.path, objection.detail, found=found, expected="100ms to 30m")
