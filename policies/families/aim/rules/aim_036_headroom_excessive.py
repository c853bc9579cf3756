"""The headroom more than doubles the size of the volumes.

`pvcHeadroomPercent` is added to the size of the weights; 10 is usual. The operators have no upper bound. With 110 the volumes have more
than twice the size of the weights, but most authors mean 110 percent in all. Write only the part that is added.

Source: aim-engine v0.2.1, internal/utils/storage.go; kaiwo dbca1b55, internal/controller/aim/shared/storage.go.
"""

from typing import Final

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, lookup, specs

_MOST: Final = 100


@specs.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMService"),
    good="accepts-headroom-of-a-quarter",
    bad="warns-of-headroom-that-doubles-volumes",
)
def check(spec: JSONObject) -> Said:
    for path in (("pvcHeadroomPercent",), ("storage", "pvcHeadroomPercent")):
        found = lookup(spec, path)
        if isinstance(found, int) and found > _MOST:
            yield Violation(
                ("spec", *path),
                f"volumes would have {_times(found)} times the size of the weights",
                found=str(found),
                expected="the part that is added, such as 10",
            )


def _times(percent: int) -> str:
    """How many times larger something is with so many percent added: ``2.1``."""
    whole, part = divmod(percent, 100)
    return f"{whole + 1}.{part:02}".rstrip("0").rstrip(".")
