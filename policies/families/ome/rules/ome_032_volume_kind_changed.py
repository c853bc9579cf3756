"""A service changes the kind of a volume of its runtime.

OME merges the two field by field, so a volume that is `emptyDir` in the runtime and `hostPath` in the service becomes both. The API
server refuses the Deployment. Give the volume another name, or keep its kind.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, JSONObject, Said, Service, Violation, deployed, items, text


@deployed.error(about=FAILURE, good="accepts-the-same-kind-of-a-volume", bad="refuses-another-kind-of-a-volume")
def check(service: Service) -> Said:
    for component, own, base, title in service.merges:
        volumes = {text(volume, "name"): volume for volume in items(base, "volumes")}
        for index, volume in enumerate(items(own, "volumes")):
            here, there = _kinds(volume), _kinds(volumes.get(text(volume, "name"), {}))
            if here and there and here != there:
                yield Violation(
                    ("spec", component, "volumes", index),
                    f"it is {', '.join(here)} here and {', '.join(there)} in {title}, and the API server refuses a volume with both",
                    found=", ".join(here),
                    expected=", ".join(there),
                    hint="give the volume another name, or keep its kind",
                )


def _kinds(volume: JSONObject) -> list[str]:
    """The sources of a volume."""
    return sorted(key for key, value in volume.items() if key != "name" and isinstance(value, dict))
