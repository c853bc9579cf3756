"""The labels of namespaces."""

from __future__ import annotations

from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.fields import text_map


def namespace_labels(name: str, store: ObjectStore) -> dict[str, str] | None:
    """The labels of a namespace, including the one that the API server adds; `None` if the namespace isn't known."""
    found = store.get("", "Namespace", "", name)
    return {**text_map(found, "metadata", "labels"), NAMESPACE_NAME: name} if found is not None else None
