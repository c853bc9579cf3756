"""The source matches the CRD's pattern, but nothing can be fetched from it.

`pvc://` needs a claim and a path in it, `s3://` a bucket and a key, `hf://` a repository, and `file://` an absolute
path. The operator passes a bare word without a slash to its HTTP client, which fails because the scheme is missing. The
same happens to a form that this version of the operator doesn't know yet (`s3://` before v0.9.15, revisions before
v0.9.7). A revision needs the `hf://` form: the CRD refuses `OWNER/REPOSITORY@REVISION`. The failure shows when the
operator reconciles the Model, or when the pod starts.

Source: LLMKube v0.9.19, internal/controller/source.go; internal/controller/model_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.model.controller_download import download_problem
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Model, Said, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, repository_problem
from weighbridge.policies.ground.expressions import expression

_SUBDOMAIN = expression(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_FORMS = "write https://, hf://, s3:// or pvc://, an absolute path, or OWNER/REPOSITORY"


@sources.error(
    topic="Models: source, files and download",
    about=FAILURE,
    mirrors="Model condition InvalidSource",
    good="accepts-a-bucket-with-credentials",
    bad="refuses-an-object-store-without-a-key",
)
def check(model: Model) -> Said:
    written = text(model.spec, "source")
    if not written:
        return  # the CRD refuses it
    source, operator = model.source, model.operator
    fault = _fault(source) or _repository_fault(source, repository_problem(written, operator)) or _unfetched(source, operator.name)
    if fault:
        nearest = f"hf://{written}" if source.is_bare and source.revision else ""
        yield Violation(("spec", "source"), f'"{written}" {fault}', found=written, nearest=nearest)


def _fault(source: Source) -> str:
    if source.kind is SourceKind.CLAIM:
        if not (source.claim and source.path.strip("/ ")):
            return "is incomplete; write pvc://CLAIM/PATH"
        return "" if _SUBDOMAIN.fullmatch(source.claim) else f'names no claim, since "{source.claim}" is not a DNS subdomain'
    if source.text.startswith("s3://"):
        return "" if source.bucket.strip() and source.key.strip("/ ") else "is incomplete; write s3://BUCKET/KEY"
    if source.kind is SourceKind.LOCAL:
        return "" if source.path.startswith("/") else "is not an absolute path; write file:///PATH"
    if source.kind is SourceKind.REMOTE:
        host = source.text.partition("://")[2].partition("/")[0]
        return "names no host" if not host or host.startswith(":") else ""
    return ""


def _repository_fault(source: Source, problem: str) -> str:
    if source.is_bare and "@" in source.text:
        return "has a revision, which needs the form hf://OWNER/REPOSITORY@REVISION"
    if source.text.startswith(("https://", "http://")):
        return "is a page of Hugging Face without a model" if source.kind is SourceKind.CONTROLLER else ""
    stated = problem.removesuffix(f": {source.text}") if source.text.startswith("hf://") else ""
    return f"is not a repository: {stated}" if stated else ""


def _unfetched(source: Source, operator: str) -> str:
    if source.kind is not SourceKind.CONTROLLER:
        return ""
    if "://" not in source.text:
        return f"has neither a scheme nor a slash; {_FORMS}"
    problem = download_problem(source.text)
    return f"can't be fetched by {operator}, which will report: {problem}" if problem else ""
