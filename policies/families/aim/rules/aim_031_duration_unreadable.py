"""The operator can't read a duration, which stops it for all objects of the kind.

The CRD accepts any text for `requestTimeout` and `syncInterval`; the operator reads them as Go durations. One object that it can't read
stops its watch of that kind in all namespaces, until the object is gone. Write a duration such as `60s` or `1h30m`.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, metav1.Duration as observed.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, lookup, specs
from weighbridge.policies.ground.durations import parse_problem


@specs.error(
    kinds=("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMClusterModelSource"),
    good="accepts-a-go-duration",
    bad="refuses-a-duration-in-words",
)
def check(spec: JSONObject) -> Said:
    for path in (("routing", "requestTimeout"), ("syncInterval",)):
        found = lookup(spec, path)
        if isinstance(found, str) and (problem := parse_problem(found)):
            yield Violation(
                ("spec", *path),
                f"the operator can't read the duration, and stops following all objects of this kind: {problem}",
                found=found,
                expected="such as 60s or 1h30m",
            )
