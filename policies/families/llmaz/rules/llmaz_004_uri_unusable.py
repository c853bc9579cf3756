"""A model's URI can't be used.

It is `scheme://address` with one of the schemes gcs, host, ollama, oss and s3. An address of oss is `bucket.endpoint/path`, one of s3
or gcs `bucket/path`.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import Operation

_WORDS: Final = {
    "wrong format": "this is no URI",
    "unsupported protocol": "llmaz has no such protocol",
    "wrong address": "the address lacks a part",
}


@objects.error(
    kinds=("OpenModel",),
    mirrors="URI with unsupported protocol",
    good="refuses-a-hub-without-an-id",
    bad="refuses-a-claim-of-a-volume-as-a-source",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.URI:
            uri = text(part(given.spec, "source"), "uri")
            yield Violation(found.path, _WORDS[found.words.rpartition(" with ")[2]], found=uri, expected="such as s3://bucket/path")
