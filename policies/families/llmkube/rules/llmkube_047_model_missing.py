"""The Model that a service refers to isn't there.

`modelRef` names a Model of the service's own namespace; `namespace/name` is just a name that doesn't exist. The service is Failed
until such a Model appears. It may come later in the same rollout, so by default this warns; the configuration's `references`
decides.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.references import GROUP, MODELS
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import name_of, namespace_of
from policies.request import Request
from policies.spelling import similar


def _nearest(serving: Serving, name: str) -> str:
    """Models of the namespace whose names are closest, else the one of that name elsewhere."""
    models = list(serving.facts.objects.list(GROUP, "Model"))
    own = [name_of(model) for model in models if namespace_of(model) == serving.namespace]
    wanted = name.rpartition("/")[2]
    elsewhere = [f"{namespace_of(model)}/{name_of(model)}" for model in models if name_of(model) == wanted and wanted not in own]
    return similar(wanted, own) or next(iter(elsewhere), "") or similar(wanted, own, otherwise=3)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    name = text(serving.spec, "modelRef")
    if serving.model is not None or not isinstance(serving.spec.get("modelRef"), str):
        return
    if name and "/" not in name and MODELS.is_missing(facts, serving.namespace, name) is None:
        yield RULE.unchecked(MODELS.unknown)
        return
    message = f'namespace "{serving.namespace}" has no Model "{name}"'
    if "/" in name:
        message = f'"{name}" is taken as a name; a Model must be in the service\'s own namespace'
    yield RULE.finding(
        ("spec", "modelRef"),
        message if name else "is empty; it must name a Model of the same namespace",
        found=name,
        nearest=_nearest(serving, name),
        hint="create the Model in the same namespace, or correct the name",
    )


RULE = Rule(
    id="LLMKUBE-047",
    name="model-missing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Failed, Model not found",
    reads=("Model",),
    is_about_reference=True,
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: ggfu",
)
