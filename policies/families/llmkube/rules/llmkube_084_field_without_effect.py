"""A field is set, but nothing reads it in this service.

Some fields are for one engine, some count only with a GPU, and some have no effect at all. The operator ignores them
silently. The finding is a note, or a warning if the engine has another field for the same purpose.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; internal/controller/runtime_*.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Path, Said, Service, Severity, Violation, services
from weighbridge.policies.families.llmkube.rules._ignored_fields import ignored_fields, misplaced_fields


@services.note(
    topic="Services: engines and their settings", good="accepts-a-node-port-of-type-nodeport", bad="notes-a-node-port-that-is-ignored"
)
def check(service: Service) -> Said:
    if service.model is not None:
        for path, why in misplaced_fields(service):
            yield Violation(path, why, severity=Severity.WARNING)
        for path, why in ignored_fields(service):
            yield Violation(path, why, hint=_hint(path, why))


def _hint(path: Path, why: str) -> str:
    """What to do, unless the message says it."""
    if path[-1] == "modelRef":
        return "remove it from the Model, or serve the Model with llama.cpp"
    return "" if why.endswith("remove it") else "remove it"
