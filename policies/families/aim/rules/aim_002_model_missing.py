"""The model that a service names isn't there.

The name is looked for in the service's namespace, then in the cluster. aim-engine fails the service, kaiwo keeps it waiting, until the
model appears. It may come later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.aim.subject.references import models
from policies.families.family import Rule
from policies.fields import part, text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    model, field = serving.model, serving.dialect.reference
    name = text(part(serving.spec, "model"), field)
    if model is None or not name.strip():
        return
    if model.unknown:
        yield RULE.unchecked(model.unknown)
    elif model.reason == "ModelNotFound":
        own, of_cluster = models(request.gvk.group)
        yield RULE.finding(
            ("spec", "model", field),
            model.failure,
            found=name,
            nearest=own.nearest(facts, serving.namespace, name) or of_cluster.nearest(facts, "", name),
            hint="create the AIMModel in the namespace, or correct the name",
        )


RULE = Rule(
    id="AIM-002",
    name="model-missing",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    mirrors="condition ModelReady, ModelNotFound",
    reads=SERVICE_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}",
    bad="model: {name: lama}",
)
