"""Compares kube-controller-manager's type checker with the engine on policies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.programs.type_checks import world
from tests.programs.type_checks.draw import Draw
from tests.programs.type_checks.judge import ask
from weighbridge.policies.admission_policies.declarations import read_policy
from weighbridge.policies.admission_policies.type_checks.checks import check_types
from weighbridge.policies.admission_policies.type_checks.schemas import declared_kind
from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.objects import field as printed
from weighbridge.policies.ground.server_release import release

_ROUND: Final = 500


@dataclass(slots=True)
class Tally:
    """The counts of the comparison; `words` counts the warnings by their texts."""

    policies: int = 0
    warned: int = 0
    expressions: int = 0
    unchecked: int = 0
    words: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.policies} policies ({self.warned} with warnings on {self.expressions} expressions, {self.unchecked} not checked): "
            f"{len(self.differences)} differ"
        )


class Comparison:
    """Compares policies; the release in force must be the judge's."""

    def __init__(self, judge: Path) -> None:
        self._judge = judge
        self.crds = world.definitions()
        self._resources = list(world.resources(self.crds))
        self.definitions = Definitions.from_manifests(self.crds, server=release())
        names = sorted({each["kind"] for each in self._resources}, key=len, reverse=True)
        # The types of variables that an error leaves open have numbers as well, which differ between releases.
        self._drawn = re.compile(rf"\b({'|'.join([*names, '_var'])})\d+\b")
        self.tally = Tally()

    def kinds(self) -> list[tuple[GroupVersionKind, str, DeclaredType]]:
        """The kinds that policies may be about, with their resources and types."""
        known = [(gvk, plural_of(gvk.kind)) for gvk in world.built_in_kinds()]
        known += [(gvk, plural) for gvk, plural, _ in self.definitions.names("")]
        return [(gvk, plural, found) for gvk, plural in known if (found := declared_kind(gvk, self.definitions)) is not None]

    def compare_drawn(self, seed: int, count: int) -> None:
        """Compare random policies."""
        draw = Draw(seed, self.kinds())
        for start in range(0, count, _ROUND):
            self.compare([draw.policy(f"p{seed}-{number}") for number in range(start, min(start + _ROUND, count))])

    def compare(self, policies: Sequence[JSONObject]) -> None:
        """Compare these policies."""
        asked = {"resources": self._resources, "definitions": self.crds, "policies": policies}
        for policy, theirs in zip(policies, ask(self._judge, [asked])[0], strict=True):
            self.compare_one(policy, theirs)

    def compare_one(self, policy: JSONObject, theirs: Any) -> None:
        """Compare a policy with its warnings."""
        tally = self.tally
        tally.policies += 1
        found = check_types(read_policy(policy), self.definitions, lambda _: True)
        if found.unchecked:
            tally.unchecked += 1
            return
        ours = [(printed(warning.path), warning.text) for warning in found.warnings]
        told = [(each["fieldRef"], each["warning"]) for each in theirs] if isinstance(theirs, list) else [("", theirs["fault"])]
        if [self._plain(each) for each in ours] != [self._plain(each) for each in told]:
            tally.differences.append(_difference(policy, ours, told))
        tally.warned += bool(told)
        tally.expressions += len(told)
        tally.words.update(re.sub(r"'.*", "", text.partition("ERROR: ")[2].partition(": ")[2]).partition("\n")[0] for _, text in told)

    def _plain(self, warning: tuple[str, str]) -> tuple[str, str]:
        """A warning without the numbers in the names of types, which the controller draws."""
        return warning[0], self._drawn.sub(r"\1", warning[1])


def _difference(policy: JSONObject, ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> str:
    lines = [f"{policy['spec']}"]
    lines += [f"only ours   {field}\n{text}" for field, text in ours if (field, text) not in theirs]
    lines += [f"only theirs {field}\n{text}" for field, text in theirs if (field, text) not in ours]
    return "\n".join(lines)
