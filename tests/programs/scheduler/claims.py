"""Does the work of the resource claim controller for which a pod with claims waits, and keeps claims from being deallocated.

The controller creates a ResourceClaim from each template that a pod names, and writes its name into the pod's status. Here the claim's name
is `<pod>-<claim in the pod>`, without the random ending. When an allocated claim that isn't reserved (a loose one) is in a pod's way,
kube-scheduler deallocates it. It doesn't deallocate a reserved claim, and judges the pod the same except for one word of the message. So
loose claims are reserved, except while the pod is asked about whose message has that word.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.programs.scheduler.api import MERGE_PATCH, Api
from tests.programs.scheduler.resources import create, namespace_of, path_of

SETTLE_SECONDS = 0.4
_SOMEBODY = {"resource": "pods", "name": "somebody-else", "uid": "00000000-0000-4000-8000-000000000001"}


@dataclass(slots=True)
class Claims:
    """The claims and templates of a cluster by namespace and name."""

    claims: Mapping[tuple[str, str], dict[str, Any]]
    templates: Mapping[tuple[str, str], dict[str, Any]]

    @classmethod
    def of(cls, objects: Iterable[dict[str, Any]]) -> Claims:
        """The claims and templates among the objects."""
        claims, templates = {}, {}
        for obj in objects:
            if obj["kind"] == "ResourceClaim":
                claims[namespace_of(obj), obj["metadata"]["name"]] = obj
            elif obj["kind"] == "ResourceClaimTemplate":
                templates[namespace_of(obj), obj["metadata"]["name"]] = obj
        return cls(claims, templates)

    def loose(self, pod: dict[str, Any]) -> list[dict[str, Any]]:
        """The allocated claims that the pod names and that are reserved for no pod."""
        named = {(namespace_of(pod), str(claim.get("resourceClaimName"))) for claim in pod["spec"].get("resourceClaims") or ()}
        return [claim for key in sorted(named & self.claims.keys()) if _is_loose(claim := self.claims[key])]

    def from_template(self, pod: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The name in the pod and the template, for each of its claims whose template exists."""
        found = []
        for claim in pod["spec"].get("resourceClaims") or ():
            template = self.templates.get((namespace_of(pod), str(claim.get("resourceClaimTemplateName"))))
            if template is not None:
                found.append((str(claim["name"]), template))
        return found


def _is_loose(claim: dict[str, Any]) -> bool:
    status = claim.get("status", {})
    return "allocation" in status and not status.get("reservedFor")


def fastened(obj: dict[str, Any]) -> dict[str, Any]:
    """The object as it is while questions are asked: a loose claim is reserved for a pod that isn't asked about."""
    if obj["kind"] != "ResourceClaim" or not _is_loose(obj):
        return obj
    return {**obj, "status": {**obj["status"], "reservedFor": [_SOMEBODY]}}


@contextmanager
def loosened(api: Api, claims: Sequence[dict[str, Any]]) -> Iterator[None]:
    """Keeps loose claims as they were written while the context lasts, and restores them afterwards."""
    _write(api, claims, lambda claim: {"allocation": claim["status"]["allocation"], "reservedFor": None})
    try:
        yield
    finally:
        _write(api, claims, lambda claim: fastened(claim)["status"])


def _write(api: Api, claims: Sequence[dict[str, Any]], status: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    for claim in claims:
        api.must("PATCH", f"{path_of(claim)}/status", {"status": status(claim)}, content_type=MERGE_PATCH)
    # The scheduler gets claims and pods from different watches, so the next pod could arrive before the claims.
    time.sleep(SETTLE_SECONDS)


def instantiate(api: Api, pod: dict[str, Any], claims: Claims) -> list[dict[str, Any]]:
    """Creates the claims of an existing pod's templates, as the controller does, and returns them."""
    made = [_claim(pod, name, template) for name, template in claims.from_template(pod)]
    for claim in made:
        create(api, claim)
    if made:
        statuses = [
            {"name": name, "resourceClaimName": claim["metadata"]["name"]}
            for (name, _), claim in zip(claims.from_template(pod), made, strict=True)
        ]
        api.must("PATCH", f"{path_of(pod)}/status", {"status": {"resourceClaimStatuses": statuses}}, content_type=MERGE_PATCH)
    return made


def _claim(pod: dict[str, Any], name: str, template: dict[str, Any]) -> dict[str, Any]:
    meta = pod["metadata"]
    owner = {"apiVersion": "v1", "kind": "Pod", "name": meta["name"], "uid": meta["uid"], "controller": True, "blockOwnerDeletion": True}
    metadata = {"name": f"{meta['name']}-{name}", "namespace": namespace_of(pod), "ownerReferences": [owner]}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": metadata, "spec": template["spec"]["spec"]}
