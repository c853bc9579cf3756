"""What the rules of AIM import: their subjects, and the names that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.asked_gpus import AskedGpus, asked_of
from weighbridge.policies.families.aim.predictions.predicted_service import Service, service_of, work_of
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.aim.subject.template import Template, template_of
from weighbridge.policies.families.aim.subject.written import SpecChange, change_of
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.rule import (
    FAILURE,
    PLACEMENT,
    QUOTA,
    REFERENCE,
    Given,
    NotChecked,
    Said,
    Subject,
    Violation,
    given_object,
    of_object,
)
from weighbridge.policies.ground.fields import amount, flag, items, part, text, whole
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, name_of, written
from weighbridge.policies.ground.spelling import listed, similar

__all__ = [
    "FAILURE",
    "PLACEMENT",
    "QUOTA",
    "REFERENCE",
    "AskedGpus",
    "Given",
    "JSONObject",
    "JSONValue",
    "NotChecked",
    "Path",
    "Said",
    "Service",
    "Severity",
    "SpecChange",
    "Template",
    "Violation",
    "Work",
    "amount",
    "flag",
    "items",
    "listed",
    "lookup",
    "name_of",
    "part",
    "similar",
    "spec_of",
    "text",
    "whole",
    "written",
]  # fmt: skip


def of_both_groups(*kinds: str) -> tuple[str, ...]:
    """Kinds of both groups, in the form of `reads`; a kind without a group is of the judged object's own."""
    return tuple(sorted(f"{kind}{group}" for kind in kinds for group in ("", ".aim.silogen.ai")))


_SERVICE_READS: Final = tuple(
    sorted(
        (
            *of_both_groups(
                *(
                    "AIMClusterModel",
                    "AIMClusterRuntimeConfig",
                    "AIMClusterServiceTemplate",
                    "AIMModel",
                    "AIMRuntimeConfig",
                    "AIMServiceTemplate",
                ),
                "AIMTemplateCache",
            ),
            "AIMArtifact",
            "AIMKVCache.aim.silogen.ai",
            "AIMModelCache.aim.silogen.ai",
            "Node",
            "PersistentVolumeClaim",
        )
    )
)
#: The kinds that show which nodes an autoscaler may add.
MAY_COME: Final = (
    "ConfigMap/cluster-autoscaler-status", "Deployment.apps", "MachineDeployment.cluster.x-k8s.io", "MachinePool.cluster.x-k8s.io",
    "MachineSet.cluster.x-k8s.io", "NodePool.karpenter.sh",
)  # fmt: skip
_TEMPLATES: Final = ("AIMServiceTemplate", "AIMClusterServiceTemplate")

#: Rules about a service: the service with its configs, its model and its template.
services: Final = Subject(("AIMService",), service_of, _SERVICE_READS)
#: Rules about the pods of a service that has its model and its template.
workloads: Final = Subject(("AIMService",), work_of, _SERVICE_READS)
#: Rules about a service template.
templates: Final = Subject(_TEMPLATES, template_of)
#: Rules about the GPUs that pods of a template or of a model request, if the nodes are known.
asked_gpus: Final = Subject((*_TEMPLATES, "AIMModel", "AIMClusterModel"), asked_of)
#: Rules about the spec of an object of either group, of aim-engine's alone, and of kaiwo's alone.
specs: Final = Subject((), of_object(spec_of))
new_specs: Final = Subject((), of_object(spec_of, NEW))
old_specs: Final = Subject((), of_object(spec_of, OLD))
#: Rules about a spec that is changed.
changes: Final = Subject((), change_of)
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)


def reads_of_services(*more: str) -> tuple[str, ...]:
    """The kinds that the rules of a service read, and further ones."""
    return tuple(sorted((*_SERVICE_READS, *more)))
