"""A value of a runtime config is lost, because namespace and cluster both have a config of that name.

If both configs have `routing`, kaiwo loses its annotations and its timeout; it reads `model` and `labelPropagation` only from the
cluster's config. For aim-engine `false` and `0` in the namespace's config never win over the cluster's (darccio/mergo#131). The
message names the value that applies.

A default of the CRD wins as well. If the namespace's config sets only a class in `storage`, the CRD adds a headroom of 10, and the
cluster's 40 is lost. Write the value that you want into the namespace's config too. The rule ignores a value that the author's manifest is
known to have.

Source: aim-engine v0.2.1, internal/controller/utils/config.go; kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go.
"""

from collections.abc import Iterator

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.configuration import CRD_DEFAULTS, RuntimeConfig
from weighbridge.policies.families.aim.rulebook import Given, NotChecked, Path, Said, Violation, name_of, objects, of_both_groups
from weighbridge.policies.families.aim.subject.references import configs, find
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.request import Request


@objects.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    reads=of_both_groups("AIMClusterRuntimeConfig", "AIMRuntimeConfig"),
    good="accepts-headroom-that-the-author-wrote",
    bad="warns-of-headroom-that-the-crd-wrote",
)
def check(given: Given) -> Said:
    dialect, name = dialect_of(given.group), given.name
    own, of_cluster = configs(given.group)
    if given.kind == own.kind:
        other = find(of_cluster, given.facts, given.config, "", name)
        if other is not None:
            merged = RuntimeConfig(name, dialect, other, given.object)
            yield from _lost(merged, given.request)
            yield from _defaulted(merged, given.request)
        elif of_cluster.is_missing(given.facts, "", name) is None:
            yield NotChecked(of_cluster.unknown)
        return
    for other in given.facts.objects.list(own.group, own.kind):
        if name_of(other) == name:
            yield from _lost(RuntimeConfig(name, dialect, given.object, other), given.request)


def _lost(merged: RuntimeConfig, request: Request) -> Iterator[Violation]:
    for lost in merged.ignored():
        is_default = CRD_DEFAULTS.get(lost.path) == lost.value and not _is_written(lost.path, request)
        if is_default or not lost.owner.startswith(f"{request.gvk.kind} "):
            continue
        applies = "nothing applies instead" if lost.instead is None else f"{json_text(lost.instead)} of the other config applies"
        yield Violation(
            ("spec", *lost.path),
            f"{json_text(lost.value)} is lost, because namespace and cluster both have a config {merged.name}: {applies}",
            hint="set the value in the service, or in one of the two configs only",
        )


def _defaulted(merged: RuntimeConfig, request: Request) -> Iterator[Violation]:
    for lost, default in merged.defaulted():
        if not _is_written(lost.path, request):
            yield Violation(
                ("spec", *lost.path),
                f"{json_text(default)} is the CRD's default, and wins over {json_text(lost.value)} of {lost.owner}",
                hint=f"write {json_text(lost.value)} if you want it",
            )


def _is_written(path: Path, request: Request) -> bool:
    """Whether a manifest is known to have a value, in its field or in the deprecated one."""
    authorship = Authorship.of_request(request)
    return authorship.is_named(("spec", *path)) or authorship.is_named(("spec", path[-1]))
