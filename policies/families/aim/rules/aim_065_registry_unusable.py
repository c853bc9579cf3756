"""The registry of a model source isn't a valid host.

A registry is a host with or without a port. With a scheme or a path every request fails, and so does the source. Write the path into the
filters.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, specs, text
from weighbridge.policies.families.aim.subject.images import is_registry


@specs.error(kinds=("AIMClusterModelSource",), good="accepts-a-wildcard", bad="refuses-a-registry-with-a-scheme")
def check(spec: JSONObject) -> Said:
    registry = text(spec, "registry")
    if not registry or is_registry(registry):
        return
    host, _, path = (registry.partition("://")[2] or registry).partition("/")
    host = host.strip()
    yield Violation(
        ("spec", "registry"),
        f'"{registry}" isn\'t the host of a registry',
        found=registry,
        expected=host if is_registry(host) else "such as ghcr.io",
        hint="write the path into the filters" if path else "",
    )
