"""The runtime config that a service names isn't there.

`runtimeConfigName` is looked for in the service's namespace and in the cluster, by the same name. Nothing falls back to `default`; only
that name may be missing. Without it the service fails, and nothing is made of it. It may come later in the same rollout, so by default this
warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.configuration import DEFAULT
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.aim.subject.references import configs
from policies.families.family import Rule
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    found = serving.config
    if found.is_missing:
        own, of_cluster = configs(request.gvk.group)
        yield RULE.finding(
            ("spec", "runtimeConfigName"),
            f'neither namespace "{serving.namespace}" nor the cluster has a runtime config "{found.name}"',
            found=found.name,
            nearest=own.nearest(facts, serving.namespace, found.name) or of_cluster.nearest(facts, "", found.name),
            hint="create it, or name one that is there; without a name it is default, which may be missing",
        )
    elif found.name != DEFAULT and found.unknown and not found.scope:
        yield RULE.unchecked(f"{found.unknown[0]} isn't known")


RULE = Rule(
    id="AIM-001",
    name="runtime-config-missing",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go",
    mirrors="condition RuntimeConfigReady, ReferenceNotFound",
    reads=SERVICE_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}",
    bad="model: {name: llama}\nruntimeConfigName: team",
)
