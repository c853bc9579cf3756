"""What rules say of an add-on that a service uses and the cluster may not have."""

from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.llmkube.rulebook import NotChecked, Said, Service, Violation
from weighbridge.policies.ground.objects import Path


def not_installed(group: str, service: Service, path: Path, hint: str) -> Said:
    """The violation of a field that has no effect without the kinds of an API group."""
    installed = is_installed(group, service.facts)
    if installed is None:
        yield NotChecked(NOT_KNOWN)
    elif not installed:
        yield Violation(path, f"has no effect, since the CRDs of {group} aren't installed", hint=hint)
