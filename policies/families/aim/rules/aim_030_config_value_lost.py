"""A value of a runtime config gets lost where namespace and cluster both have one of the name.

kaiwo loses annotations and timeout of a route where both configs have `routing`, and reads `model` and `labelPropagation` from the
cluster's alone. For aim-engine `false` and `0` of the namespace never win over the cluster (darccio/mergo#131). What applies is told.

A default of the CRD wins as well. The namespace's config that opens `storage` for a class alone is given a headroom of 10, which its
author didn't write, and the cluster's 40 is lost. Write the value that you want into the namespace's config too. A value that the author's
manifest is known to name is left alone.

Source: aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.configuration import CRD_DEFAULTS, RuntimeConfig
from policies.families.aim.subject.references import configs, find
from policies.families.family import Rule
from policies.families.filling.authorship import Authorship
from policies.findings import Finding, Severity, Unchecked
from policies.go_text import json_text
from policies.objects import Path, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    dialect, name = dialect_of(request.gvk.group), name_of(request.object)
    own, of_cluster = configs(request.gvk.group)
    if request.gvk.kind == own.kind:
        other = find(of_cluster, facts, config, "", name)
        if other is not None:
            merged = RuntimeConfig(name, dialect, other, request.object)
            yield from _told(merged, request)
            yield from _defaulted(merged, request)
        elif of_cluster.is_missing(facts, "", name) is None:
            yield RULE.unchecked(of_cluster.unknown)
        return
    for other in facts.objects.list(own.group, own.kind):
        if name_of(other) == name:
            yield from _told(RuntimeConfig(name, dialect, request.object, other), request)


def _told(merged: RuntimeConfig, request: Request) -> Iterator[Finding]:
    for lost in merged.ignored():
        is_default = CRD_DEFAULTS.get(lost.path) == lost.value and not _is_written(lost.path, request)
        if is_default or not lost.owner.startswith(f"{request.gvk.kind} "):
            continue
        applies = "nothing applies instead" if lost.instead is None else f"{json_text(lost.instead)} of the other config applies"
        yield RULE.finding(
            ("spec", *lost.path),
            f"{json_text(lost.value)} is lost where namespace and cluster have a config {merged.name}: {applies}",
            hint="set the value in the service, or in one of the two configs only",
        )


def _defaulted(merged: RuntimeConfig, request: Request) -> Iterator[Finding]:
    for lost, default in merged.defaulted():
        if not _is_written(lost.path, request):
            yield RULE.finding(
                ("spec", *lost.path),
                f"{json_text(default)} is the CRD's default, and wins over {json_text(lost.value)} of {lost.owner}",
                hint=f"write {json_text(lost.value)} if you want it",
            )


def _is_written(path: Path, request: Request) -> bool:
    """Whether a manifest is known to name a value, at its place or at its deprecated one."""
    authorship = Authorship.of_request(request)
    return authorship.is_named(("spec", *path)) or authorship.is_named(("spec", path[-1]))


RULE = Rule(
    id="AIM-030",
    name="config-value-lost",
    severity=Severity.WARNING,
    kinds=(
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/controller/utils/config.go; kaiwo dbca1b55 internal/controller/aim/shared/runtime_config.go",
    reads=("AIMClusterRuntimeConfig", "AIMClusterRuntimeConfig.aim.silogen.ai", "AIMRuntimeConfig", "AIMRuntimeConfig.aim.silogen.ai"),
    beside="""\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterRuntimeConfig
metadata: {name: example}
spec: {routing: {enabled: true, gatewayRef: {name: gw}}}""",
    check=_check,
    good="routing: {enabled: true}",
    bad="routing: {enabled: false}",
)
