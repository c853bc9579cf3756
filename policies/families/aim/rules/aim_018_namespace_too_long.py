"""The namespace's name is too long for any service in it.

aim-engine names the InferenceService so that `NAME-predictor-NAMESPACE` fits into a host name of 63 characters. A namespace of more
than 42 characters leaves no room for the name, and each of its services is Degraded. Use a namespace with a shorter name.

Source: aim-engine v0.2.1, internal/utils/naming.go.
"""

from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.predictions.names import LONGEST_NAMESPACE
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Violation, objects


@objects.error(
    kinds=("AIMService",),
    about=FAILURE,
    mirrors="status Degraded",
    good="accepts-a-caching-mode",
    bad="refuses-a-service-in-a-namespace-of-too-long-a-name",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    if given.group == NEW and len(namespace) > LONGEST_NAMESPACE:
        yield Violation(
            ("metadata", "namespace"),
            f"the namespace's name has {len(namespace)} characters, which leaves no room for the name of an InferenceService",
            found=namespace,
            expected=f"at most {LONGEST_NAMESPACE} characters",
        )
