"""References to environment variables in a container's command and arguments: ``$(VAR)`` is replaced by the variable's value.

``$$`` is a single ``$``, so ``$$(VAR)`` is the text ``$(VAR)``. A reference to a variable that the container doesn't have isn't replaced. A
value may refer to variables before it. Source: Kubernetes v1.36, third_party/forked/golang/expansion and pkg/kubelet/container/helpers.go.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject

_REFERENCE: Final = expression(r"\$\$|\$\(([^)]*)\)")


def environment(container: JSONObject, namespace: str) -> dict[str, str | None]:
    """The variables of a container in a pod of a namespace; `None` for the value of one that only the running pod knows."""
    found: dict[str, str | None] = {}
    for entry in items(container, "env"):
        source = entry.get("valueFrom")
        if isinstance(source, dict):
            is_namespace = text(part(source, "fieldRef"), "fieldPath") == "metadata.namespace"
            found[text(entry, "name")] = namespace if is_namespace else None
        else:
            found[text(entry, "name")] = expand(text(entry, "value"), found, is_whole=not items(container, "envFrom"))
    return found


def expand(written: str, variables: Mapping[str, str | None], *, is_whole: bool = True) -> str | None:
    """A text with its references replaced; `None` if a referenced value isn't known.

    `is_whole` says that the container has no other variables. Otherwise the value of another variable isn't known.
    """
    is_known = True

    def replaced(found: re.Match[str]) -> str:
        nonlocal is_known
        name = found[1]
        if name is None:
            return "$"
        value = variables.get(name, found[0] if is_whole else None)
        is_known = is_known and value is not None
        return value or ""

    out = _REFERENCE.sub(replaced, written)
    return out if is_known else None


def escape(value: str) -> str:
    """The value as a text that expands to it."""
    return value.replace("$", "$$")
