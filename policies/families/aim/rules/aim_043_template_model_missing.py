"""The model of a template isn't there, or not where the operator looks for it.

A cluster template belongs to a cluster model. A template of a namespace belongs to a model of that namespace; kaiwo also takes one of the
cluster, aim-engine doesn't: there the template fails though the cluster has a model of the name. The model may come later in the same
rollout, so by default this warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/aimservicetemplate; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.rules._examples import READY
from policies.families.aim.subject.references import models
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    name = text(spec_of(request.object), "modelName")
    if not name:
        return
    own, of_cluster = models(request.gvk.group)
    is_namespaced, namespace = request.gvk.kind == "AIMServiceTemplate", request.namespace or namespace_of(request.object)
    missing = own.is_missing(facts, namespace, name) if is_namespaced else of_cluster.is_missing(facts, "", name)
    elsewhere = of_cluster.get(facts, "", name) is not None
    if missing and is_namespaced and request.gvk.group == OLD:
        missing = of_cluster.is_missing(facts, "", name)
    if missing is None:
        yield RULE.unchecked((own if is_namespaced else of_cluster).unknown)
    elif missing:
        where = f'namespace "{namespace}"' if is_namespaced else "the cluster"
        yield RULE.finding(
            ("spec", "modelName"),
            f'{where} has no model "{name}"' + ("; the one of the cluster doesn't count" if elsewhere and is_namespaced else ""),
            found=name,
            nearest=own.nearest(facts, namespace, name) if is_namespaced else of_cluster.nearest(facts, "", name),
            hint="make it an AIMClusterServiceTemplate" if elsewhere and is_namespaced else "create the model, or correct the name",
        )


RULE = Rule(
    id="AIM-043",
    name="template-model-missing",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    mirrors="condition ModelReady, ReferenceNotFound",
    reads=("AIMClusterModel", "AIMClusterModel.aim.silogen.ai", "AIMModel", "AIMModel.aim.silogen.ai"),
    is_about_reference=True,
    beside=READY,
    check=_check,
    good="modelName: llama",
    bad="modelName: shared",
)
