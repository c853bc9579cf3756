"""The name of a service is too long for the host name of its pods.

The host name is `<InferenceService>-predictor-<namespace>` and has at most 63 characters. aim-engine cuts the service's name and adds a
digest of the namespace; kaiwo adds a digest of the name. Two services whose names begin alike may get the same InferenceService, and
dashboards show the cut name. Choose a shorter name.

Source: aim-engine v0.2.1, internal/utils/naming.go; kaiwo dbca1b55, internal/controller/utils/naming.go.
"""

from typing import Final

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.names import LONGEST
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects

#: A hyphen and the digest.
_DIGEST: Final = 9


@objects.warning(kinds=("AIMService",), good="accepts-a-model-of-the-cluster", bad="warns-of-a-name-that-is-cut")
def check(given: Given) -> Said:
    name, namespace = given.name, given.namespace
    room = LONGEST - len("-predictor-") - len(namespace) - (0 if given.group == OLD else _DIGEST)
    if 0 < room < len(name):
        yield Violation(
            ("metadata", "name"),
            f"the InferenceService gets only the first {room} characters of the name and a digest",
            found=name,
            expected=f"at most {room} characters in namespace {namespace}",
        )
