"""A service level objective is set in a cluster that has no Pyrra.

The operator hands objectives to Pyrra, whose CRD ServiceLevelObjective must be installed (and the operator's flag --enable-pyrra-
slo set). Without it nothing comes of them.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_slo_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.llmkube.predictions.service.add_ons import PYRRA
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Serving, Violation, services


@services.warning(
    mirrors="condition SLOReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io", "Deployment.apps"),
    good="warns-of-a-gateway-without-its-crds",
    bad="warns-of-an-objective-without-pyrra",
)
def check(serving: Serving, given: Given) -> Said:
    if not serving.operator.since(0, 9, 8) or not isinstance(serving.spec.get("slo"), dict):
        return
    installed = is_installed(PYRRA, given.facts)
    if installed is None:
        yield NotChecked(NOT_KNOWN)
    if installed is False:
        yield Violation(
            ("spec", "slo"), "has no effect, since the CRDs of pyrra.dev aren't installed", hint="install Pyrra, or remove spec.slo"
        )
