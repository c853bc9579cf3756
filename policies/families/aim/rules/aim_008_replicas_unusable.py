"""The numbers of replicas contradict each other, or are zero.

`replicas: 0` doesn't stop a service: KServe gets no upper bound. The operator passes a negative number on to KServe. If `minReplicas` is
above `maxReplicas`, nothing is scaled. kaiwo leaves `maxReplicas` at 0 if only `minReplicas` is set. Write at least one replica, and a
minimum that isn't above the maximum. To stop a service, delete it.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects

_STOP = "delete the service to stop it; it can't be scaled to zero"


@objects.error(kinds=("AIMService",), good="accepts-a-minimum-below-the-maximum", bad="refuses-a-least-over-the-most")
def check(given: Given) -> Said:
    spec = given.spec
    replicas, least, most = (spec.get(key) for key in ("replicas", "minReplicas", "maxReplicas"))
    scales = least is not None or most is not None or spec.get("autoScaling") is not None
    if isinstance(replicas, int) and replicas < 1 and not scales:
        yield Violation(("spec", "replicas"), f"{replicas} replicas can't be run", found=str(replicas), expected="1 or more", hint=_STOP)
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield Violation(
            ("spec", "maxReplicas"), f"maxReplicas {most} is under minReplicas {least}", found=str(most), expected=f"{least} or more"
        )
    if isinstance(least, int) and most is None and given.group == OLD:
        yield Violation(("spec", "maxReplicas"), "minReplicas is set without maxReplicas", expected=f"{least} or more")
