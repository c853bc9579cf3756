"""The order of API versions, and the warning about a deprecated one.

Source: k8s.io/apimachinery/pkg/version/helpers.go and the custom resource handler's deprecation warning, 1.36.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.apiserver.wordings import deprecated
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject

_KUBE_VERSION: Final = expression(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?", re.ASCII)
_STABILITY: Final = {"alpha": 0, "beta": 1, None: 2}


def version_priority(name: str) -> tuple[int, int, int, int, tuple[int, ...]]:
    """A sort key by which better versions are greater: v2 > v1 > v1beta2 > v1alpha1 > names of another form, by alphabet."""
    matched = _KUBE_VERSION.fullmatch(name)
    if matched is None:
        # The name that is earlier in the alphabet is better; the end of a name sorts above any character.
        return 0, 0, 0, 0, (*(-ord(char) for char in name), 1)
    major, stability, minor = matched.groups()
    return 1, _STABILITY[stability], int(major), int(minor or 0), ()


def deprecation_warning(spec: JSONObject, version: JSONObject) -> str:
    """The warning for requests to a version of a CRD's spec; empty if it isn't deprecated."""
    if version.get("deprecated") is not True:
        return ""
    custom = version.get("deprecationWarning")
    if isinstance(custom, str):
        return custom
    group, kind, name = spec["group"], spec["names"]["kind"], version["name"]
    better = [
        other["name"]
        for other in spec["versions"]
        if other.get("served") is True and other.get("deprecated") is not True and version_priority(other["name"]) > version_priority(name)
    ]
    best = f"{group}/{max(better, key=version_priority)} {kind}" if better else ""
    return deprecated(f"{group}/{name} {kind}", best)
