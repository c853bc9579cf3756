"""A name has dots or is too long.

Models, Playgrounds and Services are named like labels of DNS: at most 63 lower case letters, digits and `-`. Write `qwen2-0--5b` for
qwen2-0.5b.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("OpenModel", "Playground", "Service"),
    about=FAILURE,
    mirrors="must not contain dots",
    good="refuses-a-hub-without-an-id",
    bad="refuses-a-model-named-with-a-dot",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.NAME:
            yield Violation(
                found.path,
                f"the name can't be used: {found.words.rpartition(': ')[2]}",
                found=given.name,
                expected=given.name.replace(".", "--")[:60],
            )
