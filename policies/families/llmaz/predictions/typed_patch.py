"""The API server's answer to an applied object with a key twice in a list: it refuses the whole patch, and names all such keys.

Their order among the fields of one map isn't known, since Go visits these at random.
Source: llmaz 3c13ff3, pkg/util/client.go; structured-merge-diff v6, typed/validate.go and typed/helpers.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

#: The lists of a container whose items have a key, with the key.
_OF_CONTAINERS: Final = (("env", "name"), ("volumeMounts", "mountPath"))


def patch_refusal(namespace: str, name: str, kind: str, templates: Sequence[tuple[str, JSONObject]]) -> str:
    """The refusal of a patch with pod templates, each after its path; empty if no key occurs twice. `kind` is as Go prints it."""
    found = [trouble for path, template in templates for trouble in _of_pod(part(template, "spec"), f"{path}.spec")]
    if not found:
        return ""
    said = found[0] if len(found) == 1 else "\n".join(("errors:", *(f"  {trouble}" for trouble in found)))
    return f"failed to create typed patch object ({namespace}/{name}; {kind}): {said}"


def workload_refusal(workload: JSONObject) -> str:
    """The refusal of a LeaderWorkerSet."""
    templates = part(workload, "spec", "leaderWorkerTemplate")
    found = [
        (f".spec.leaderWorkerTemplate.{name}", part(templates, name)) for name in ("leaderTemplate", "workerTemplate") if name in templates
    ]
    return patch_refusal(namespace_of(workload), name_of(workload), "leaderworkerset.x-k8s.io/v1, Kind=LeaderWorkerSet", found)


def _of_pod(spec: JSONObject, path: str) -> Iterator[str]:
    for group in ("initContainers", "containers"):
        yield from _of_list(items(spec, group), f"{path}.{group}", "name")
        for container in items(spec, group):
            for field, key in _OF_CONTAINERS:
                yield from _of_list(items(container, field), f'{path}.{group}[name="{text(container, "name")}"].{field}', key)
    yield from _of_list(items(spec, "volumes"), f"{path}.volumes", "name")


def _of_list(listed: Sequence[JSONObject], path: str, key: str) -> Iterator[str]:
    """An error for each item whose key an earlier item has."""
    seen: set[str] = set()
    for one in listed:
        value = text(one, key)
        if value in seen:
            yield f'{path}: duplicate entries for key [{key}="{value}"]'
        seen.add(value)
