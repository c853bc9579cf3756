"""An S3 source names no Secret with its credentials.

The init container signs its download with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and takes the
address from AWS_ENDPOINT_URL, all from the Secret in `sourceSecretRef`; without it the address is empty and the
download fails. An empty reference (``sourceSecretRef: {}``) is worse, with whatever source is downloaded: the
Deployment is refused, and the reason is only in the operator's log. What the Secret holds is not looked at.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.subject.fileset import declares_files
from policies.families.llmkube.subject.source import SourceKind, parse
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request

_VARIABLES = "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    written, reference = text(spec, "source"), spec.get("sourceSecretRef")
    if not isinstance(reference, dict) and not written.startswith("s3://"):
        return
    source = parse(written, operator_for(request, facts, config))
    path = ("spec", "sourceSecretRef")
    if isinstance(reference, dict) and not text(reference, "name"):
        downloaded = source.kind in {SourceKind.BUCKET, SourceKind.REMOTE} or declares_files(request.object or {})
        if downloaded:
            yield RULE.finding(
                (*path, "name"), "is empty, so the Deployment of every service is refused", expected=f"a Secret with {_VARIABLES}"
            )
    elif source.kind is SourceKind.BUCKET and not isinstance(reference, dict):
        missing = RULE.finding(
            path,
            "isn't set, so the download from s3:// has no credentials and no address",
            expected=f"a Secret with {_VARIABLES}",
            hint="name the Secret in spec.sourceSecretRef.name",
        )
        yield replace(missing, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-022",
    name="bucket-without-credentials",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    reads=("Deployment.apps",),
    check=_check,
    good="source: s3://models/llama.gguf\nsourceSecretRef: {name: s3}",
    bad="source: s3://models/llama.gguf\nsourceSecretRef: {}",
)
