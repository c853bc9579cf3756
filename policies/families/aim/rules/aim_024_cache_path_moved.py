"""`AIM_CACHE_PATH` is set, but the weights stay where they are mounted.

The operator sets the variable to the folder where it mounts the caches. Another value replaces the operator's, but the mounts don't move:
the engine finds an empty folder and downloads the model again into the container. Remove the variable.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, items, objects, text


@objects.warning(
    kinds=("AIMService", "AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-the-cache-path-of-the-operator",
    bad="warns-of-a-cache-path-that-a-config-moves",
)
def check(given: Given) -> Said:
    mounted = "/workspace/model-cache" if given.group == OLD else "/workspace/cache"
    for index, entry in enumerate(items(given.spec, "env")):
        if text(entry, "name") == "AIM_CACHE_PATH" and text(entry, "value") != mounted:
            yield Violation(
                ("spec", "env", index, "value"),
                f"the weights are mounted below {mounted}, wherever AIM_CACHE_PATH points",
                found=text(entry, "value"),
                expected=mounted,
                hint="remove the variable",
            )
