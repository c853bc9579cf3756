"""llmaz can't read a model's URI.

A URI has the form `scheme://address`, with the scheme gcs, host, ollama, oss or s3. The address of an oss URI is `bucket.endpoint/path`;
the address of an s3 or gcs URI is `bucket/path`.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go.
"""

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Objections, Said, Topic, Violation, objections, part, text

_WORDS: Final = {
    "wrong format": "this isn't a URI",
    "unsupported protocol": "llmaz doesn't know this protocol",
    "wrong address": "the address lacks a part",
}


@objections(Topic.URI, "OpenModel").error(
    mirrors="URI with unsupported protocol", good="accepts-a-uri-of-s3", bad="refuses-a-claim-of-a-volume-as-a-source"
)
def check(objections: Objections, given: Given) -> Said:
    uri = text(part(given.spec, "source"), "uri")
    for found in objections:
        yield Violation(found.path, _WORDS[found.words.rpartition(" with ")[2]], found=uri, expected="such as s3://bucket/path")
