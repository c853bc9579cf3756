"""The standard that a namespace requires of its pods: by the labels ``pod-security.kubernetes.io/...``, or else by the defaults.

Source: k8s.io/pod-security-admission v0.37, api/helpers.go (ParseLevel, ParseVersion, PolicyToEvaluate).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

PRIVILEGED, BASELINE, RESTRICTED = "privileged", "baseline", "restricted"
#: The levels, the loosest first.
LEVELS: Final = (PRIVILEGED, BASELINE, RESTRICTED)
LATEST: Final = "latest"
PREFIX: Final = "pod-security.kubernetes.io/"
_VERSION: Final = expression(r"v1\.([0-9]|[1-9][0-9]*)")
_MOST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Standard:
    """A level with the version of Kubernetes whose checks count: ``latest`` or ``v1.N``."""

    level: str = PRIVILEGED
    version: str = LATEST

    def __str__(self) -> str:
        return f"{self.level}:{self.version}"

    @property
    def is_free(self) -> bool:
        """Whether the level forbids nothing."""
        return self.level == PRIVILEGED

    def minor(self, newest: int) -> int:
        """The minor version of the checks; `newest` is that of the server, which knows no later ones."""
        return newest if self.version == LATEST else min(int(self.version.removeprefix("v1.")), newest)


#: The standard that forbids nothing.
UNENFORCED: Final = Standard()


@dataclass(frozen=True, slots=True)
class Standards:
    """The standards of a namespace: a violation refuses a pod, gives a warning, or is written into the audit log."""

    enforce: Standard = UNENFORCED
    warn: Standard = UNENFORCED
    audit: Standard = UNENFORCED

    @property
    def are_free(self) -> bool:
        """Whether none of them forbids anything."""
        return self.enforce.is_free and self.warn.is_free and self.audit.is_free


#: The standards without labels and configuration.
FREE: Final = Standards()


def standards_of(labels: Mapping[str, str], defaults: Standards = FREE) -> Standards:
    """The standards that a namespace's labels set.

    A level that can't be read means the strictest for `enforce`, and none for the others.
    """
    enforce = _read(labels, "enforce", defaults.enforce, unreadable=RESTRICTED)
    warn = _read(labels, "warn", defaults.warn, unreadable=PRIVILEGED)
    level = labels.get(f"{PREFIX}enforce", "")
    if f"{PREFIX}warn" not in labels and level in LEVELS and LEVELS.index(level) > LEVELS.index(warn.level):
        warn = Standard(level, warn.version if f"{PREFIX}warn-version" in labels else enforce.version)
    return Standards(enforce, warn, _read(labels, "audit", defaults.audit, unreadable=PRIVILEGED))


def _read(labels: Mapping[str, str], mode: str, default: Standard, *, unreadable: str) -> Standard:
    level, version = labels.get(f"{PREFIX}{mode}", default.level), labels.get(f"{PREFIX}{mode}-version", default.version)
    return Standard(level if level in LEVELS else unreadable, version if is_version(version) else LATEST)


def is_version(text: str) -> bool:
    """Whether a text is ``latest`` or ``v1.N``."""
    found = _VERSION.fullmatch(text)
    return text == LATEST or (found is not None and int(found[1]) <= _MOST)


@dataclass(frozen=True)
class PluginSettings:
    """The API server's configuration of the plugin, which no object of the cluster shows.

    It has the standards of namespaces without labels, and the namespaces and runtime classes whose pods aren't checked.
    """

    defaults: Standards = FREE
    namespaces: frozenset[str] = frozenset()
    runtime_classes: frozenset[str] = frozenset()


#: The settings of a server without such a configuration.
USUAL: Final = PluginSettings()


def standards_in(namespace: str, store: ObjectStore, settings: PluginSettings = USUAL) -> Standards:
    """The standards of a namespace. If its labels aren't known, none are assumed."""
    if namespace in settings.namespaces:
        return FREE
    labels = namespace_labels(namespace, store)
    return standards_of(labels, settings.defaults) if labels is not None else settings.defaults


def standards_for(pod: JSONObject, namespace: str, store: ObjectStore, settings: PluginSettings = USUAL) -> Standards:
    """The standards that count for a pod of a namespace."""
    is_exempt = bool(settings.runtime_classes) and text(part(pod, "spec"), "runtimeClassName") in settings.runtime_classes
    return FREE if is_exempt else standards_in(namespace, store, settings)
