"""The settings that a file and the environment can have: their keys, their meaning, and the errors of values.

The keys are the long names of the command line's options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final

from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import RELEASES, USUAL, nearest
from weighbridge.webhook.settings.values import trouble_with_levels


class KeyShape(Enum):
    """The type of a setting's values. Paths in a file are relative to it."""

    TEXT = "text"
    TEXTS = "list"
    PATH = "path"
    PATHS = "list of paths"

    @property
    def is_list(self) -> bool:
        """Whether there may be several values."""
        return self in {KeyShape.TEXTS, KeyShape.PATHS}

    @property
    def is_path(self) -> bool:
        """Whether values are paths."""
        return self in {KeyShape.PATH, KeyShape.PATHS}


def _fine(_: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Key:
    """A setting: its type, its meaning, an example of a value, and the check of one value.

    `are_one` says that several values are read as one, separated by commas.
    """

    shape: KeyShape
    meaning: str
    example: str
    trouble: Callable[[str], str] = _fine
    default: str = ""
    are_one: bool = False

    def trouble_with_all(self, values: Sequence[str]) -> str:
        """The error of a list whose values are each valid."""
        return self.trouble(",".join(values)) if self.are_one else ""


def _namespace(name: str) -> str:
    from weighbridge.policies.schema.names import dns1123_label

    problems = dns1123_label(name)
    return f"{name!r} isn't the name of a namespace: {problems[0]}" if problems else ""


def _version(version: str) -> str:
    return "" if nearest(version) else f"{version!r} isn't a version of Kubernetes; write one such as {USUAL.name}"


def _rule(rule: str) -> str:
    from weighbridge.webhook.settings.rule_names import trouble_with_rules

    return trouble_with_rules(rule)


def _pattern(pattern: str) -> str:
    return "" if pattern.strip("/! ") else f"{pattern!r} names no path"


_RULES: Final = "by id, by the beginning of ids (LLMKUBE), or with * (LLMKUBE-08*)"
#: Every setting, in the order in which they are shown.
KEYS: Final[Mapping[str, Key]] = MappingProxyType(
    {
        "config": Key(KeyShape.PATH, "the configuration (kind: Configuration)", "ops/configuration.yaml"),
        "crds": Key(KeyShape.PATHS, "CRDs to use instead of the bundled ones of the same kinds", "crds"),
        "cluster": Key(KeyShape.PATHS, "snapshots of the cluster: nodes, objects, CRDs", "ops/cluster.yaml"),
        "exclude": Key(KeyShape.TEXTS, "paths that lint passes over, as in .gitignore", "tests/**", _pattern),
        "fail-on": Key(KeyShape.TEXTS, "what makes the exit code 1", "warning", trouble_with_levels, "placement", are_one=True),
        "namespace": Key(KeyShape.TEXT, "the namespace of manifests that name none", "models", _namespace, "default"),
        "kubernetes-version": Key(
            KeyShape.TEXTS, "the Kubernetes to judge by; of several, findings say which have them", RELEASES[0].name, _version
        ),
        "select": Key(KeyShape.TEXTS, f"the rules whose findings count, {_RULES}; all unless given", "LLMKUBE", _rule),
        "ignore": Key(KeyShape.TEXTS, f"the rules whose findings are ignored, {_RULES}", "LLMKUBE-085", _rule),
        "baseline": Key(KeyShape.PATH, "findings that were there before, which don't count", ".weighbridge-baseline.json"),
    }
)
#: The settings of an entry of `overrides`, for some paths only. If two entries apply, the later one counts; ignored rules add up.
OF_PATHS: Final = ("fail-on", "namespace", "select", "ignore")
PATHS: Final = "paths"
OVERRIDES: Final = "overrides"
REASON: Final = "reason"
