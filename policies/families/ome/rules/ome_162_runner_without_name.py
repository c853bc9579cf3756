"""A runner of the service has no name, and the runtime has no runner.

OME uses the name of the service's runner even if it is empty. The container then has no name, and the API server refuses the workload or
its pods: the service has no event and no status. Only Knative Serving gives such a container a name. If the runtime has a runner,
Weighbridge fills in its name. Otherwise write the name of the container that OME merges the runner into, or `ome-container`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, Workloads, text, workloads
from weighbridge.policies.families.ome.subject.components import pod_parts
from weighbridge.policies.ground.expressions import expression

#: The API server's error at a container without a name.
_UNNAMED: Final = expression(r"\.containers\[\d+\]\.name: Required value")


@workloads.error(about=FAILURE, good="accepts-a-runner-with-the-name-of-a-container", bad="refuses-a-runner-without-a-name")
def check(made: Workloads, given: Given) -> Said:
    refused = {refusal.component for refusal in made.refusals if any(_UNNAMED.search(str(error)) for error in refusal.errors)}
    for pod, path in pod_parts(given.object):
        runner = pod.get("runner")
        if path[1] in refused and isinstance(runner, dict) and not text(runner, "name"):
            yield Violation(
                (*path, "runner", "name"),
                "the runner has no name, and the API server refuses a container without one",
                hint="write the name of the container that it is merged into, or ome-container",
            )
