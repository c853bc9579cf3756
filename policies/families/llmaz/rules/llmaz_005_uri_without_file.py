"""A model's URI ends where its files should be named.

The folder of the files is called after the last part of the path, which is empty behind a slash: engines are told
`/workspace/models/models--`. Write the path without its last slash, and with a bucket.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.sources import source_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects


@objects.warning(
    kinds=("OpenModel",),
    good="refuses-a-hub-without-an-id",
    bad="warns-of-a-uri-that-ends-with-a-slash",
)
def check(given: Given) -> Said:
    source = source_of(given.object)
    if source is None or source.scheme not in ("GCS", "OSS", "S3"):
        return
    bucket, _, path = source.address.partition("/")
    if not path.strip("/") or path.endswith("/"):
        yield Violation(
            ("spec", "source", "uri"),
            "the path of the files ends with nothing",
            found=source.uri,
            hint="name the folder without a last slash",
        )
    elif not bucket or bucket.startswith("."):
        yield Violation(
            ("spec", "source", "uri"), "the URI names no bucket", found=source.uri, expected=f"{source.scheme.lower()}://bucket/path"
        )
