"""What `lint` judges by: facts and a configuration for each release that the command line names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.document import Extent, GroupKind
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.webhook.cli.configured import configured_once
from weighbridge.webhook.inputs.facts import facts_of, further_facts

if TYPE_CHECKING:
    from weighbridge.policies.verdict.upgrade import JudgedBy
    from weighbridge.webhook.manifests import Manifest

#: A given object, and its namespace if it names none.
_Placed = tuple[JSONObject, str]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known apart from the given objects; `kubernetes` and `release` are the releases that were named.

    `policies` are known like the given objects, which replace those with their names.
    """

    objects: Sequence[JSONObject]
    extent: Extent
    cluster: Sequence[str]
    crds: Sequence[str]
    config: Configuration
    kubernetes: Sequence[str]
    release: Sequence[str]
    policies: Sequence[Manifest] = ()
    said: set[str] = field(default_factory=set)

    @property
    def _placed_policies(self) -> list[_Placed]:
        return [(manifest.value, "default") for manifest in self.policies]

    def judged_by(self, own: Iterable[_Placed], complete: frozenset[GroupKind] = frozenset()) -> list[JudgedBy]:
        """The facts and configurations by which given objects are judged, the oldest release first.

        All objects of `complete` kinds are known. Raises InputError.
        """
        placed, first = [*self._placed_policies, *own], next(iter(self.kubernetes), "")

        def read(version: str, config: Configuration, chosen: frozenset[str] = frozenset()) -> Facts:
            known = replace(self.extent, complete=self.extent.complete | complete)
            objects, places = [obj for obj, _ in placed], [place for _, place in placed]
            return facts_of(self.objects, known, self.crds, objects, places, config, version, source=self.cluster, chosen=chosen)

        if len(self.kubernetes) < 2 and not self.release:
            facts = read(first, self.config)
            return [(facts.definitions.server, facts, configured_once(self.config, facts, self.said))]
        from weighbridge.webhook.inputs.releases import groups_of, named_bases

        found = named_bases(
            lambda version, config, chosen: read(version, config, groups_of(chosen)),
            self.config,
            self.extent.server,
            self.kubernetes,
            self.release,
        )
        return [(basis.release, basis.facts, configured_once(basis.config, basis.facts, self.said)) for basis in found]

    def among(self, judged_by: Sequence[JudgedBy], own: Sequence[_Placed]) -> list[JudgedBy]:
        """What `lint` judges by, with other given objects; the CRDs are those that are already known."""
        return [
            (release, further_facts(facts, self.objects, self.extent, [*self._placed_policies, *own]), config)
            for release, facts, config in judged_by
        ]


def policies_of(paths: Sequence[str], kubernetes: Sequence[str]) -> list[Manifest]:
    """The objects that `--policies` names. Raises InputError."""
    if not paths:
        return []
    from weighbridge.webhook.inputs.policies import read_policies

    return read_policies(paths, kubernetes[-1] if kubernetes else "")
