"""Whether optional software that services can use is installed in the cluster, by its CustomResourceDefinitions."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import part, text

#: The reason if it isn't known whether an add-on is installed.
NOT_KNOWN: Final = "not all CustomResourceDefinitions of the cluster are known"
_CRDS: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")


def is_installed(group: str, facts: Facts) -> bool | None:
    """Whether the cluster has kinds of an API group; `None` if the list of its CustomResourceDefinitions isn't complete."""
    if any(kind.group == group for kind in facts.definitions.kinds()):
        return True
    if any(text(part(crd, "spec"), "group") == group for crd in facts.objects.list(*_CRDS)):
        return True
    return False if facts.objects.knows_all(*_CRDS) else None
