"""A name is too long for a label of the pods.

LeaderWorkerSet creates a StatefulSet with the object's name, and one named `<name>-<group>` for the workers of each group. The StatefulSet
controller labels each pod with its revision, `<name of the StatefulSet>-<number of up to ten digits>`. A label has at most 63 characters,
and the API server refuses a pod with a longer one. Most of these numbers have ten digits. Write a shorter name.

Source: Kubernetes v1.36, pkg/controller/history/controller_history.go; LeaderWorkerSet v0.6.2, pkg/controllers.
"""

from typing import Final

from weighbridge.policies.families.llmaz.kinds import LONGEST_NAME
from weighbridge.policies.families.llmaz.rulebook import Given, Operation, Said, Violation, objects, part, whole

#: A dash and ten digits come after the name.
_ROOM: Final = 63 - 11


@objects.warning(kinds=("Playground", "Service"), good="accepts-a-model-of-a-hub-in-a-playground", bad="warns-of-a-name-of-53-characters")
def check(given: Given) -> Said:
    name, spec = given.name, given.spec
    if given.request.operation is not Operation.CREATE or len(name) > LONGEST_NAME:
        # LLMAZ-037 reports names that are even longer.
        return
    groups, size = whole(spec, "replicas", 1), whole(part(spec, "workloadTemplate"), "size", 1)
    most = _ROOM - (len(f"-{max(groups - 1, 0)}") if size > 1 else 0)
    if len(name) > most:
        message = "the name is too long: a label of the pods consists of it and up to 11 more characters, and a label has at most 63"
        yield Violation(("metadata", "name"), message, found=name, expected=f"at most {most} characters")
