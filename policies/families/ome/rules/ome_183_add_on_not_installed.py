"""A service needs software that the cluster lacks.

OME uses LeaderWorkerSet or KubeRay for components on several nodes, Knative Serving for components with zero replicas, and KEDA for the
autoscaler class `keda`. If one of these isn't installed, OME's controller stops at the component: the objects that it created before
stay, and only its log has the reason. Install the missing software, or avoid it: use one node, at least one replica, or the class `hpa`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/{controller.go,reconcilers}.
"""

from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_of
from weighbridge.policies.families.ome.predictions.merge.knative import GROUP
from weighbridge.policies.families.ome.predictions.merge.stops import ADD_ONS, NotInstalledError
from weighbridge.policies.families.ome.rulebook import FAILURE, WORKLOAD_READS, Given, NotChecked, Said, Service, Violation, deployed


@deployed.warning(
    about=FAILURE,
    reads=WORKLOAD_READS,
    good="accepts-a-raw-deployment-of-an-engine",
    bad="warns-of-several-nodes-without-leader-worker-set",
)
def check(service: Service, given: Given) -> Said:
    if service.is_serverless:
        installed = is_installed(GROUP, given.facts)
        if installed is None:
            yield NotChecked(NOT_KNOWN)
        elif not installed:
            path = ("metadata", "annotations", "ome.io/deploymentMode") if service.annotation("deploymentMode") else ("spec",)
            message = f"the mode Serverless needs {ADD_ONS[GROUP]}, whose CRDs ({GROUP}) aren't installed"
            yield Violation(path, message, hint=f"install {ADD_ONS[GROUP]}, or take another mode")
            return
    made = workloads_of(*given)
    if made is None:
        return
    if isinstance(made.error, NotInstalledError):
        lacking = made.error
        what = ADD_ONS[lacking.group]
        message = f"{lacking.component} needs {what}, whose CRDs ({lacking.group}) aren't installed"
        yield Violation(("spec", lacking.component), message, hint=f"install {what}")
