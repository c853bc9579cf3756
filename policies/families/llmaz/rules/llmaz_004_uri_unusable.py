"""A model's URI can't be used.

It is `scheme://address` with one of the schemes gcs, host, ollama, oss and s3. An address of oss is `bucket.endpoint/path`, one of s3
or gcs `bucket/path`.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request

_WORDS: Final = {
    "wrong format": "this is no URI",
    "unsupported protocol": "llmaz has no such protocol",
    "wrong address": "the address lacks a part",
}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.URI:
            uri = text(part(spec_of(request.object), "source"), "uri")
            yield RULE.finding(found.path, _WORDS[found.words.rpartition(" with ")[2]], found=uri, expected="such as s3://bucket/path")


RULE = Rule(
    id="LLMAZ-004",
    name="uri-unusable",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go",
    mirrors="URI with unsupported protocol",
    check=_check,
    good='familyName: opt\nsource: {uri: "oss://bucket.endpoint.com/models/opt"}',
    bad='familyName: opt\nsource: {uri: "http://example.com/opt"}',
)
