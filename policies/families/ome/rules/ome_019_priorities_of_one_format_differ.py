"""Formats of one runtime that share a name have different priorities.

OME's webhook goes by the deprecated `name` of an item, which is mostly empty, so that all formats without one share it. It refuses
different priorities among those with `autoSelect` as soon as any runtime is stored in the namespace, or for a ClusterServingRuntime in the
cluster. Give each format a `name` of its own, or all the same priority.

Source: OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, RUNTIMES
from policies.families.ome.subject.runtime import Runtime, read_runtime
from policies.fields import flag, items, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import JSONObject, Operation, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    runtime = read_runtime(request.object)
    if runtime.is_disabled:
        return
    first: dict[str, int | None] = {}
    for index, item in enumerate(items(runtime.spec, "supportedModelFormats")):
        found = item.get("priority")
        priority = found if isinstance(found, int) else None
        if not flag(item, "autoSelect"):
            continue
        name = text(item, "name")
        # The first one is what the others are compared with; one that is left open differs from none.
        before = first.setdefault(name, priority)
        if before is None or priority is None or before == priority:
            continue
        referent = RUNTIMES if runtime.namespace else CLUSTER_RUNTIMES
        if any(_is_stored(other, runtime, request) for other in facts.objects.list(GROUP, referent.kind, runtime.namespace)):
            shared = f'share the name "{name}"' if name else "have no name of their own"
            yield RULE.finding(
                ("spec", "supportedModelFormats", index, "priority"),
                f"priority is {priority} here and {before} before, for formats that {shared}; OME refuses the runtime",
                found=str(priority),
                expected=str(before),
                hint="give each format a name of its own, or all the same priority",
            )
        elif not facts.objects.knows_all(GROUP, referent.kind):
            yield RULE.unchecked(referent.unknown)
            return


def _is_stored(other: JSONObject, runtime: Runtime, request: Request) -> bool:
    """Whether a runtime is one that is stored; what is being created isn't yet."""
    return request.operation is not Operation.CREATE or name_of(other) != runtime.name


RULE = Rule(
    id="OME-019",
    name="priorities-of-one-format-differ",
    severity=Severity.ERROR,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go",
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("ClusterServingRuntime", "ServingRuntime"),
    beside="""\
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata: {name: other, namespace: default}
spec:
  supportedModelFormats: [{modelFormat: {name: gguf}, modelFramework: {name: llama.cpp}}]
""",
    check=_check,
    good="""\
supportedModelFormats:
- {name: a, modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true, priority: 1}
- {name: b, modelFormat: {name: onnx}, modelFramework: {name: onnx}, autoSelect: true, priority: 2}
""",
    bad="""\
supportedModelFormats:
- {modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true, priority: 1}
- {modelFormat: {name: onnx}, modelFramework: {name: onnx}, autoSelect: true, priority: 2}
""",
)
