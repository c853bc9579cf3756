"""The template of a template cache isn't there.

aim-engine looks in the scope that `templateScope` names and fails the cache without it; with Unknown it looks in both. kaiwo looks in the
namespace, then in the cluster, and leaves the cache Pending. The template may come later in the same rollout, so by default this warns;
the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimtemplatecache_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.rules._examples import READY
from policies.families.aim.subject.references import templates
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    spec, group = spec_of(request.object), request.gvk.group
    key = "templateRef" if group == OLD else "templateName"
    name, scope = text(spec, key), "" if group == OLD else text(spec, "templateScope")
    if not name:
        return
    own, of_cluster = templates(group)
    namespace = request.namespace or namespace_of(request.object)
    near = own.is_missing(facts, namespace, name) if scope != "Cluster" else True
    far = of_cluster.is_missing(facts, "", name) if scope != "Namespace" else True
    if near is False or far is False:
        return
    if near is None or far is None:
        yield RULE.unchecked((own if near is None else of_cluster).unknown)
        return
    elsewhere = own.get(facts, namespace, name) if scope == "Cluster" else of_cluster.get(facts, "", name)
    where = "the cluster has no template" if scope == "Cluster" else f'namespace "{namespace}" has no template'
    yield RULE.finding(
        ("spec", key),
        f'{where} "{name}"' + ("" if scope or group != OLD else ", nor has the cluster"),
        found=name,
        nearest=(own.nearest(facts, namespace, name) if scope != "Cluster" else "") or of_cluster.nearest(facts, "", name),
        hint="set templateScope to the other scope, which has it" if elsewhere is not None else "create it, or correct the name",
    )


RULE = Rule(
    id="AIM-057",
    name="cached-template-missing",
    severity=Severity.WARNING,
    kinds=("AIMTemplateCache",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimtemplatecache_controller.go",
    mirrors="condition ServiceTemplateReady",
    reads=(
        "AIMClusterServiceTemplate",
        "AIMClusterServiceTemplate.aim.silogen.ai",
        "AIMServiceTemplate",
        "AIMServiceTemplate.aim.silogen.ai",
    ),
    is_about_reference=True,
    beside=READY,
    check=_check,
    good="""\
templateName: fast
templateScope: Namespace""",
    bad="""\
templateName: fast
templateScope: Cluster""",
)
