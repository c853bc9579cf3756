"""Which parts of an object of a built-in kind aren't known, because the server fills them in: every wording, and all of them our words.

What the server says of an object that it can't read is in `apiserver.wordings` and `schema.metadata_errors`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import GroupVersionKind

# --- any object ---

FILLED_IN: Final = "a field that the server may fill in"
STATUS: Final = "status of the object"
STORED_STATUS: Final = "status of the stored object"
#: The server's text for this isn't known here.
TOO_DEEP: Final = "it nests too deep"


def merge_types(gvk: GroupVersionKind) -> str:
    """The types of a kind, which don't ship here."""
    return f"the types by which the server merges a {gvk.kind} of {gvk.api_version}"


def readable_object(why: object) -> str:
    """An object that the server can read, which the given one isn't."""
    return f"an object that the server can read: {why}"


def filled_in_of(kind: str) -> str:
    """The fields that the registry fills in when it stores an object."""
    return f"what the server fills in of a {kind}"


# --- what admission plugins fill in ---

STORED_SPEC: Final = "spec of a pod that is stored"
TAINTS: Final = "the taints of a new node"
FROM_LIMIT_RANGES: Final = "what the limit ranges of the namespace fill in"
NOTE_OF_LIMIT_RANGES: Final = "the note of what the limit ranges of the namespace have filled in"
FROM_RUNTIME_CLASS: Final = "what the runtime class fills in"
ACCOUNT_VOLUME: Final = "the volume with the token of the service account"
PRIORITY_CLASSES: Final = "the priority classes of the cluster"
STORAGE_CLASSES: Final = "the storage classes of the cluster"
NEWEST_STORAGE_CLASS: Final = "which of several default storage classes is the newest"
INGRESS_CLASSES: Final = "the ingress classes of the cluster"


def service_account(name: str) -> str:
    """The service account of a pod, which isn't among the facts."""
    return f"the service account {name}"
