"""The container would get a variable twice, so the InferenceService is refused.

aim-engine sets AIM_METRIC, AIM_PRECISION, AIM_PROFILE_ID and AIM_MODEL_ID from fields of the template. If the runtime config's environment
also has one of them (or, for AIM_MODEL_ID, the template's environment), aim-engine writes both, and the service stays Starting. Setting
the variable in the service's `spec.env` doesn't help, because that replaces only the first of the two. Remove the variable from the other
environment.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go.
"""

from weighbridge.policies.families.aim.predictions.workload import clashes
from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Violation, Work, workloads


@workloads.error(
    about=FAILURE,
    mirrors="DependenciesReachable, duplicate entries",
    good="accepts-a-metric-that-the-service-sets",
    bad="refuses-a-metric-that-the-service-sets-too",
)
def check(work: Work) -> Said:
    for name in clashes(work):
        yield Violation(
            ("spec", "env"),
            f"{name} would be set twice: by the template, and by the environment of the runtime config or the template",
            found=name,
            hint=f"remove {name} from that environment",
        )
