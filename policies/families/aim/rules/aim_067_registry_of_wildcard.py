"""A wildcard names a registry that kaiwo doesn't query.

kaiwo queries the catalogue at `spec.registry`, whatever host a filter with a wildcard begins with. For `ghcr.io/acme/x*` with the registry
`docker.io` it queries Docker Hub for a namespace `ghcr.io`. Set `registry` to the host, and remove the host from the filter.

Source: kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/registry.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, old_specs, text


@old_specs.warning(
    kinds=("AIMClusterModelSource",),
    good="accepts-a-wildcard-of-the-registry-that-is-asked-in-the-old-group",
    bad="warns-of-a-wildcard-of-another-registry-in-the-old-group",
)
def check(spec: JSONObject) -> Said:
    registry = text(spec, "registry") or "docker.io"
    for index, found in enumerate(items(spec, "filters")):
        image = text(found, "image")
        host, slash, rest = image.partition("/")
        if "*" in rest and slash and "." in host and host != registry:
            yield Violation(
                ("spec", "filters", index, "image"),
                f"{registry} is queried, not {host}",
                found=image,
                expected=rest,
                hint=f"set spec.registry: {host}, in its own source",
            )
