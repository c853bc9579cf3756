"""A local path lies outside the folders that the operator allows.

A source such as ``/data/x.gguf`` or ``file:///data/x.gguf`` must be in one of the operator's
`--allowed-host-path-roots`. Upstream's default is no folder at all: then the operator refuses every local source, also
for Metal models. The Model fails with SourceNotAllowed, and its services stay Pending. The source can't be the folder
itself either, because the operator copies one file. If nothing is known of the cluster's operator, the rule only warns.

Source: LLMKube v0.9.19, internal/controller/source.go; internal/controller/model_controller.go; GHSA-jw3m-8q7m-f35r.
"""

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Model, Said, Severity, Violation, sources, text
from weighbridge.policies.families.llmkube.subject.source import Source, cleaned, local_problem, usable_roots
from weighbridge.policies.families.operator_settings import UPSTREAM


@sources.error(
    topic="Models: source, files and download",
    about=FAILURE,
    mirrors="Model condition SourceNotAllowed",
    good="accepts-a-cpu-model",
    bad="warns-of-a-local-path-where-the-operator-is-not-known",
)
def check(model: Model) -> Said:
    if not text(model.spec, "source").removeprefix("file://").startswith("/"):
        return  # LLMKUBE-009 refuses what isn't absolute
    source, roots = model.source, usable_roots(model.operator)
    severity = None if _is_known(model.operator) else Severity.WARNING
    if local_problem(source, model.operator):
        yield Violation(
            ("spec", "source"),
            f'"{source.text}" {_why(roots)}',
            found=source.text,
            expected=f"a file in {' or '.join(roots)}" if roots else "a source that isn't local",
            hint="allow the folder in modelSource.allowedHostPathRoots of the operator and in llmkube.operator of the configuration",
            severity=severity,
        )
    elif _is_folder(source, roots) and not model.is_metal:
        said = f'"{source.text}" is the allowed folder itself; it must be a file in it'
        yield Violation(("spec", "source"), said, found=source.text, hint="add the name of the file", severity=severity)


def _why(roots: tuple[str, ...]) -> str:
    return "is outside the folders that the operator allows" if roots else "is a local path, and the operator allows none"


def _is_folder(source: Source, roots: tuple[str, ...]) -> bool:
    return source.path.endswith("/") or cleaned(source.path) in roots


def _is_known(operator: KnownOperator) -> bool:
    """Whether the setting is known for this cluster: it is configured, or the operator's Deployment is known, which sets it or leaves it
    out.
    """
    return operator.origin("allowed_host_path_roots") != UPSTREAM or operator.is_seen
