"""The version of Kubernetes that brought each part of the language of rules.

A server accepts a new rule only if the oldest version that it must be compatible with would accept it too. Stored rules may use everything.
The versions of functions are declared with the functions. Source: k8s.io/apiserver `pkg/cel/environment/base.go`.
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
#: A field named like a reserved word can be written without escapes.
KEYWORD_FIELDS: Final[Version] = (1, 31)
#: The version that includes everything.
EVERYTHING: Final[Version] = (1, 99)


def stored_rules_version() -> Version:
    """The version of stored rules: they may use everything that the server has."""
    return release().version


def new_rules_version() -> Version:
    """The version of new rules: one less than the server's, since by default a server can be rolled back by one version."""
    major, minor = release().version
    return major, minor - 1
