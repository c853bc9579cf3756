"""The claims of a pod: those that it names, and those that are made for it from templates.

Source: k8s.io/dynamic-resource-allocation v0.36, resourceclaim (Name); kubernetes v1.36, DynamicResources.PreEnqueue.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.devices.claims import Claim, read_claim
from weighbridge.policies.devices.kept_fields import as_kept, kept_claim
from weighbridge.policies.devices.outcomes import Silent
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of

GROUP: Final = "resource.k8s.io"


def claims_of(pod: JSONObject, namespace: str, store: ObjectStore) -> list[Claim] | Silent:
    """The claims in the pod's order. One that doesn't exist yet is made from its template, without the random end of its name."""
    found = []
    for entry in items(part(pod, "spec"), "resourceClaims"):
        claim = _claim(pod, entry, namespace, store)
        if isinstance(claim, Silent):
            return claim
        if claim is not None:
            found.append(claim)
    return found


def _claim(pod: JSONObject, entry: JSONObject, namespace: str, store: ObjectStore) -> Claim | Silent | None:
    name = text(entry, "resourceClaimName")
    if name:
        return _existing(namespace, name, store)
    template = text(entry, "resourceClaimTemplateName")
    pod_name = name_of(pod) or text(metadata_of(pod), "generateName")
    if not template:
        why = f'pod "{namespace}/{pod_name}", spec.resourceClaim "{text(entry, "name")}": none of the supported fields are set'
        return Silent(why, is_certain=True)
    for status in items(part(pod, "status"), "resourceClaimStatuses"):
        if text(status, "name") == text(entry, "name"):
            generated = text(status, "resourceClaimName")
            # A status without a name says that no claim is needed.
            return _existing(namespace, generated, store) if generated else None
    return _from_template(namespace, template, f"{pod_name}-{text(entry, 'name')}", store)


def _existing(namespace: str, name: str, store: ObjectStore) -> Claim | Silent:
    found = store.get(GROUP, "ResourceClaim", namespace, name)
    if found is None:
        return Silent(f'resourceclaim.resource.k8s.io "{name}" not found', store.knows_all(GROUP, "ResourceClaim"))
    if metadata_of(found).get("deletionTimestamp"):
        return Silent(f'resourceclaim "{name}" is being deleted', is_certain=True)
    return as_kept(read_claim, kept_claim)(found)


def _from_template(namespace: str, template: str, name: str, store: ObjectStore) -> Claim | Silent:
    found = store.get(GROUP, "ResourceClaimTemplate", namespace, template)
    if found is None:
        why = f'resourceclaimtemplate.resource.k8s.io "{template}" not found'
        return Silent(why, store.knows_all(GROUP, "ResourceClaimTemplate"))
    made = {"metadata": {"namespace": namespace, "name": name}, "spec": part(found, "spec", "spec")}
    return as_kept(read_claim, kept_claim)(made)
