"""A service level objective is set in a cluster that has no Pyrra.

The operator hands objectives to Pyrra, whose CRD ServiceLevelObjective must be installed (and the operator's flag --enable-pyrra-
slo set). Without it nothing comes of them.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_slo_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.installed import NOT_KNOWN, is_installed
from policies.families.llmkube.resolve.service.add_ons import PYRRA
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if not serving.operator.since(0, 9, 8) or not isinstance(serving.spec.get("slo"), dict):
        return
    installed = is_installed(PYRRA, facts)
    if installed is None:
        yield RULE.unchecked(NOT_KNOWN)
    if installed is False:
        yield RULE.finding(
            ("spec", "slo"), "has no effect, since the CRDs of pyrra.dev aren't installed", hint="install Pyrra, or remove spec.slo"
        )


RULE = Rule(
    id="LLMKUBE-057",
    name="slo-not-installed",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_slo_controller.go",
    mirrors="condition SLOReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io", "Deployment.apps"),
    beside=(
        f"{GGUF_MODEL}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.example.com}}"
    ),
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: gguf\nslo: {objective: '99'}",
)
