"""A model's URI ends where its files should be named.

The folder of the files is called after the last part of the path, which is empty behind a slash: engines are told
`/workspace/models/models--`. Write the path without its last slash, and with a bucket.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.sources import source_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    source = source_of(request.object) if isinstance(request.object, dict) else None
    if source is None or source.scheme not in ("GCS", "OSS", "S3"):
        return
    bucket, _, path = source.address.partition("/")
    if not path.strip("/") or path.endswith("/"):
        yield RULE.finding(
            ("spec", "source", "uri"),
            "the path of the files ends with nothing",
            found=source.uri,
            hint="name the folder without a last slash",
        )
    elif not bucket or bucket.startswith("."):
        yield RULE.finding(
            ("spec", "source", "uri"), "the URI names no bucket", found=source.uri, expected=f"{source.scheme.lower()}://bucket/path"
        )


RULE = Rule(
    id="LLMAZ-005",
    name="uri-without-file",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    check=_check,
    good='familyName: opt\nsource: {uri: "s3://bucket/opt"}',
    bad='familyName: opt\nsource: {uri: "s3://bucket/opt/"}',
)
