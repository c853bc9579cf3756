"""An S3 source names no Secret with its credentials.

The init container signs its download with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and takes the
address from AWS_ENDPOINT_URL, all from the Secret in `sourceSecretRef`; without it the address is empty and the
download fails. An empty reference (``sourceSecretRef: {}``) is worse, with whatever source is downloaded: the
Deployment is refused, and the reason is only in the operator's log. What the Secret holds is not looked at.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.fileset import declares_files
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity

_VARIABLES = "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL"


@objects.error(
    kinds=("Model",),
    reads=("Deployment.apps",),
    good="accepts-a-prefetch-by-https",
    bad="refuses-an-empty-reference-for-a-download",
)
def check(given: Given) -> Said:
    spec = given.spec
    written, reference = text(spec, "source"), spec.get("sourceSecretRef")
    if not isinstance(reference, dict) and not written.startswith("s3://"):
        return
    source = parse(written, operator_for(*given))
    path = ("spec", "sourceSecretRef")
    if isinstance(reference, dict) and not text(reference, "name"):
        downloaded = source.kind in {SourceKind.BUCKET, SourceKind.REMOTE} or declares_files(given.object)
        if downloaded:
            yield Violation(
                (*path, "name"), "is empty, so the Deployment of every service is refused", expected=f"a Secret with {_VARIABLES}"
            )
    elif source.kind is SourceKind.BUCKET and not isinstance(reference, dict):
        missing = Violation(
            path,
            "isn't set, so the download from s3:// has no credentials and no address",
            expected=f"a Secret with {_VARIABLES}",
            hint="name the Secret in spec.sourceSecretRef.name",
        )
        yield replace(missing, severity=Severity.WARNING)
