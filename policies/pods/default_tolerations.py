"""The two tolerations that the API server adds to every pod. Source: Kubernetes v1.36, the admission plugin DefaultTolerationSeconds."""

from __future__ import annotations

from weighbridge.policies.facts.tolerations import NO_EXECUTE, Toleration

_TOLERATED_BY_DEFAULT = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def with_defaults(tolerations: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """The pod's tolerations with those of `not-ready` and `unreachable`, unless it has one for that key and effect (or for any).

    NB: value and operator of a present toleration don't matter, so one that matches nothing still prevents the default.
    """
    added = tuple(
        Toleration(key, "Exists", effect=NO_EXECUTE)
        for key in _TOLERATED_BY_DEFAULT
        if not any(held.key in ("", key) and held.effect in ("", NO_EXECUTE) for held in tolerations)
    )
    return tolerations + added
