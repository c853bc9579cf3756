"""Which version of Kubernetes brought what to the language of rules.

A server takes a new rule only if the oldest version that it is to be compatible with would take it as well; rules that are stored already
may use everything. The versions of functions are declared with the functions. Source: k8s.io/apiserver `pkg/cel/environment/base.go`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from weighbridge.policies.ground.server_release import release

Version: TypeAlias = tuple[int, int]

FIRST: Final[Version] = (1, 23)
#: Optionals: `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`.
OPTIONALS: Final[Version] = (1, 28)
#: Constant durations, timestamps and patterns are checked before anything runs.
CONSTANT_CHECKS: Final[Version] = (1, 29)
#: A field named like a reserved word can be written plainly.
KEYWORD_FIELDS: Final[Version] = (1, 31)
#: What stored rules may use: all there is.
EVERYTHING: Final[Version] = (1, 99)


def stored_rules_version() -> Version:
    """What rules may use that a CRD has already: all that the server has."""
    return release().version


def new_rules_version() -> Version:
    """What new rules may use: a server can be rolled back by one version, as servers are by default."""
    major, minor = release().version
    return major, minor - 1
