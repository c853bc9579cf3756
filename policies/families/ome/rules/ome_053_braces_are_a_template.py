"""OME reads braces in a runner as a template.

OME renders the runner's JSON as a Go template with the service's metadata. It fills in `{{ .Name }}`, `.Namespace`, `.Labels.x` and
`.Annotations.x`, escaped as HTML. The rendering fails for a chat template, and for a double quote between the braces. Put such text into a
file of a ConfigMap. The rule also reports a service whose runtime has such text.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from collections.abc import Iterator

from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_of
from weighbridge.policies.families.ome.predictions.merge.placeholders import fault_of
from weighbridge.policies.families.ome.rulebook import FAILURE, WORKLOAD_READS, Given, Path, Said, Violation, objects, walk
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.service import service_of


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    about=FAILURE,
    reads=WORKLOAD_READS,
    good="accepts-the-name-in-braces",
    bad="warns-of-a-chat-template-in-braces",
)
def check(given: Given) -> Said:
    own = [where for where, words in _runner_texts(given) if fault_of(words)]
    for where in own:
        yield Violation(
            where,
            "OME reads double braces as a template of the service's metadata, and fails on this one",
            expected="{{ .Name }}, {{ .Namespace }}, {{ .Labels.x }} or {{ .Annotations.x }}",
            hint="put other text with braces into a file of a ConfigMap",
        )
    if not own and given.kind == "InferenceService":
        yield from _of_runtime(given)


def _runner_texts(given: Given) -> Iterator[tuple[Path, str]]:
    """All texts of the runners, each with its path."""
    for pod, path in pod_parts(given.object):
        for container in containers_of(pod, path):
            for where, value in walk(container.obj, container.path) if container.is_runner else ():
                if isinstance(value, str):
                    yield where, value


def _of_runtime(given: Given) -> Said:
    """A placeholder of the runtime that a service gets."""
    service, workloads = service_of(*given), workloads_of(*given)
    if service is not None and service.runtime is not None and workloads is not None and workloads.placeholder:
        yield Violation(
            ("spec", "model", "name") if service.is_auto_selected else ("spec", "runtime", "name"),
            f"{service.runtime.title} has double braces that OME reads as a template and fails on: {workloads.placeholder}",
            hint="use a runtime that has such text in a file of a ConfigMap",
        )
