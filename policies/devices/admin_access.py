"""Admin access: claims for devices that other claims may hold. They are allowed only in namespaces with a label.

The API server refuses such claims elsewhere, whether they are written by hand or made from a template. The pod then waits for its claim
without a message. Source: Kubernetes v1.36, pkg/registry/resource (`AuthorizedForAdmin`); KEP-5018.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.devices.claims import Claim
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.fields import text_map

_LABEL: Final = "resource.kubernetes.io/admin-access"
#: The API server's refusal.
REFUSED: Final = f"admin access to devices requires the `{_LABEL}: true` label on the containing namespace"


def asks_for_admin_access(claim: Claim) -> bool:
    """Whether a request of a claim asks for admin access."""
    return any(wish.admin_access for request in claim.requests for wish in request.wishes)


def may_have_admin_access(namespace: str, store: ObjectStore) -> bool | None:
    """Whether a namespace has the label; `None` if that isn't known."""
    found = store.get("", "Namespace", "", namespace)
    if found is None and not store.knows_all("", "Namespace"):
        return None
    return text_map(found, "metadata", "labels").get(_LABEL) == "true"
