"""A Playground claims no models, or in two ways.

`modelClaim` names one model, `modelClaims` several with roles. Write one of them.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="modelClaim and modelClaims couldn't be both nil",
    good="refuses-claims-without-models",
    bad="refuses-a-playground-without-a-claim",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.CLAIMS:
            yield Violation(
                found.path,
                "the Playground claims its models in two ways"
                if isinstance(given.spec.get("modelClaim"), dict)
                else "the Playground claims no model",
                hint="write spec.modelClaim or spec.modelClaims",
            )
