"""A router's backend has no target, or two.

A backend is either an InferenceService of the router's namespace (`inferenceServiceRef`) or an external provider
(`external`). The CRD allows neither and both; upstream's webhook refuses them.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import objections


@objects.error(
    kinds=("ModelRouter",),
    about=FAILURE,
    mirrors="vmodelrouter.inference.llmkube.dev",
    good="refuses-a-provider-without-a-url-on-a-gateway",
    bad="refuses-a-router-backend-without-a-target",
)
def check(given: Given) -> Said:
    for objection in objections(given.object, Topic.TARGET):
        yield Violation(objection.path, objection.detail, hint="split what has both into two backends")
