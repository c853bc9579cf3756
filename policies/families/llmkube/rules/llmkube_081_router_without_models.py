"""llama.cpp's router has no folder of models to serve from.

The operator starts it with `--models-dir /models` and puts nothing there: the service's own volumes have to bring the models.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp_router.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.runtime != "llamacpp-router":
        return
    mounted = [text(mount, "mountPath").rstrip("/") for mount in items(serving.spec, "extraVolumeMounts")]
    if not any(path == "/models" or path.startswith("/models/") for path in mounted):
        yield RULE.finding(
            ("spec", "extraVolumeMounts"),
            "no volume is mounted at /models, where the router reads its models from",
            expected="a mount at /models",
            hint="add the volume to extraVolumes and mount it at /models",
        )


RULE = Rule(
    id="LLMKUBE-081",
    name="router-without-models",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp_router.go",
    reads=("Model",),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: plain, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf}"
    ),
    check=_check,
    good="modelRef: plain\nruntime: llamacpp-router\nextraVolumes: [{name: m}]\nextraVolumeMounts: [{name: m, mountPath: /models}]",
    bad="modelRef: plain\nruntime: llamacpp-router",
)
