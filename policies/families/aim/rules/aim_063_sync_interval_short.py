"""A model source polls its registries more often than upstream recommends.

With an interval under 15 minutes registries soon limit the rate. 0 means the default, one hour. Write `15m` or more.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, api/v1alpha1/aimclustermodelsource_types.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, specs
from weighbridge.policies.ground.durations import nanoseconds

#: Fifteen minutes in nanoseconds.
_LEAST = 15 * 60 * 10**9


@specs.warning(kinds=("AIMClusterModelSource",), good="accepts-a-range-of-versions", bad="warns-of-a-registry-that-is-asked-every-minute")
def check(spec: JSONObject) -> Said:
    found = spec.get("syncInterval")
    length = nanoseconds(found)
    if length is not None and 0 < length < _LEAST:
        yield Violation(("spec", "syncInterval"), f"it queries registries every {found}", found=str(found), expected="15m or more")
