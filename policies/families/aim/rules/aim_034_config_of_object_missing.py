"""The runtime config that a template, a model or a cache names isn't there.

aim-engine fails the object, and with it every service that needs it. kaiwo fails only templates of a namespace, and goes on without a
config for the others. The config may come later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.kinds import OLD
from policies.families.aim.resolve.configuration import DEFAULT, runtime_config
from policies.families.aim.rules._examples import READY
from policies.families.aim.subject.references import configs
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    name = text(spec_of(request.object), "runtimeConfigName")
    is_old = request.gvk.group == OLD
    if name in ("", DEFAULT) or (is_old and request.gvk.kind != "AIMServiceTemplate"):
        return
    is_clusters = request.gvk.kind.startswith("AIMCluster")
    namespace = "" if is_clusters else request.namespace or namespace_of(request.object)
    found = runtime_config(dialect_of(request.gvk.group), name, namespace, facts, config)
    if found.unknown and not found.scope:
        yield RULE.unchecked(f"{found.unknown[0]} isn't known")
    elif found.is_missing:
        own, of_cluster = configs(request.gvk.group)
        where = "the cluster has no" if is_clusters else f'neither namespace "{namespace}" nor the cluster has a'
        yield RULE.finding(
            ("spec", "runtimeConfigName"),
            f'{where} runtime config "{name}"; the operator fails the {request.gvk.kind}',
            found=name,
            nearest=(own.nearest(facts, namespace, name) if namespace else "") or of_cluster.nearest(facts, "", name),
            hint="create it, or leave the name out",
        )


RULE = Rule(
    id="AIM-034",
    name="config-of-object-missing",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMModel",
        "AIMClusterModel",
        "AIMArtifact",
        "AIMTemplateCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go",
    mirrors="condition RuntimeConfigReady, ConfigNotFound",
    reads=(
        "AIMClusterRuntimeConfig",
        "AIMClusterRuntimeConfig.aim.silogen.ai",
        "AIMRuntimeConfig",
        "AIMRuntimeConfig.aim.silogen.ai",
    ),
    is_about_reference=True,
    beside=READY,
    check=_check,
    good="modelName: llama",
    bad="""\
modelName: llama
runtimeConfigName: team""",
)
