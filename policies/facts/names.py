"""The names of what is in the cluster, to find those that are similar to a missing one."""

from __future__ import annotations

from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.objects import name_of


def names_of(store: ObjectStore, group: str, kind: str, namespace: str | None = None) -> tuple[str, ...]:
    """The names of a kind's objects in one namespace or in all, sorted. They are listed once while no object of the kind changes."""
    return store.once(((group, kind),), (names_of, namespace), lambda: tuple(sorted(map(name_of, store.list(group, kind, namespace)))))
