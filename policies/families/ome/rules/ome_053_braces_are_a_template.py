"""Braces in a runner are read as a template.

OME runs the runner's JSON through Go's templates with the service's metadata. `{{ .Name }}`, `.Namespace`, `.Labels.x` and `.Annotations.x`
are filled in, escaped as HTML; a chat template fails, and so does a double quote between the braces. Put such text into a file of a
ConfigMap. A service is told as well when the runtime that it gets has such text.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.placeholders import fault_of
from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.service import serving_of
from weighbridge.policies.ground.objects import JSONValue, Path
from weighbridge.policies.ground.request import Request


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    about=FAILURE,
    reads=CLASS_READS,
    good="accepts-the-name-in-braces",
    bad="warns-of-a-chat-template-in-braces",
)
def check(given: Given) -> Said:
    found = False
    for pod, path in pod_parts(given.object):
        for container in containers_of(pod, path):
            for where, words in _texts(container.obj, container.path) if container.is_runner else ():
                if fault_of(words):
                    found = True
                    yield Violation(
                        where,
                        "OME reads double braces as a template of the service's metadata, and fails on this one",
                        expected="{{ .Name }}, {{ .Namespace }}, {{ .Labels.x }} or {{ .Annotations.x }}",
                        hint="put other text with braces into a file of a ConfigMap",
                    )
    if not found and given.kind == "InferenceService":
        yield from _of_runtime(*given)


def _of_runtime(request: Request, facts: Facts, config: Configuration) -> Iterator[Violation]:
    """What the runtime that a service gets has of it."""
    serving, made = serving_of(request, facts, config), made_of(request, facts, config)
    runtime = serving.runtime if serving is not None else None
    if serving is not None and runtime is not None and made is not None and made.placeholder:
        path: Path = ("spec", "model", "name") if serving.is_auto_selected else ("spec", "runtime", "name")
        yield Violation(
            path,
            f"{runtime.title} has double braces that OME reads as a template and fails on: {made.placeholder}",
            hint="use a runtime that has such text in a file of a ConfigMap",
        )


def _texts(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    """All texts of a container, each with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))
