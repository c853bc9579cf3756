"""An S3 source names no Secret with its credentials.

The init container signs its download with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and takes the
address from AWS_ENDPOINT_URL. All of them come from the Secret in `sourceSecretRef`. Without it the address is empty,
and the download fails. An empty reference (``sourceSecretRef: {}``) is worse, for every source that is downloaded: the
API server refuses the Deployment, and only the operator's log has the reason. The rule doesn't look at the contents of
the Secret.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Severity, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.fileset import declares_files
from weighbridge.policies.families.llmkube.subject.source import SourceKind

_EXPECTED: Final = "a Secret with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL"
_DOWNLOADED: Final = {SourceKind.BUCKET, SourceKind.REMOTE}
_PATH: Final = ("spec", "sourceSecretRef")


@sources.error(
    topic="Models: source, files and download", good="accepts-a-prefetch-by-https", bad="refuses-an-empty-reference-for-a-download"
)
def check(model: Model) -> Said:
    reference = model.spec.get("sourceSecretRef")
    if not isinstance(reference, dict):
        if text(model.spec, "source").startswith("s3://") and model.source.kind is SourceKind.BUCKET:
            yield Violation(
                _PATH,
                "isn't set, so the download from s3:// has no credentials and no address",
                expected=_EXPECTED,
                hint="name the Secret in spec.sourceSecretRef.name",
                severity=Severity.WARNING,
            )
    elif not text(reference, "name") and (model.source.kind in _DOWNLOADED or declares_files(model.object)):
        yield Violation((*_PATH, "name"), "is empty, so the Deployment of every service is refused", expected=_EXPECTED)
