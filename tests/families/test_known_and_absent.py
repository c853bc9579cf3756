"""A finding says that an object is missing only if all objects of its kind are known, and that it exists only if it is known.

Each rule judges its examples, and those of its neighbours, in three clusters for each kind that it looks up: with the objects of the kind,
without any, and with none and the kind unknown. Findings in the last cluster must be there in both of the others: without facts about a
kind a rule must not have findings that depend on it. If a kind is known to have no objects, nothing is unchecked because of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import pytest

from tests.families.examples import example_cluster, example_request, examples
from tests.families.recording import NODE
from tests.families.test_reads import named_kinds, stored
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent, GroupKind
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Finding, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.inputs.facts import bundled_definitions

# Each of these tests runs all rules of a family in some hundred clusters.
pytestmark = pytest.mark.timeout(600)

#: Other dependences on each kind belong to the placement of pods, which has its own tests.
_OF_PLACEMENT: Final = {kind.known_as for kind in PLACEMENT_KINDS} - {NODE}
_ALL: Final = frozenset({NODE, *(kind.known_as for kind in (*watched_kinds(), *PLACEMENT_KINDS))})
_NO_TEMPLATE: Final = "without nodes the template isn't available, and no pod comes of the service"
_NOTHING_MADE: Final = "without it llmaz makes nothing at all, and fails for that"
_CHART: Final = "where the cluster's runtimes aren't known, that of llmaz's chart counts, and the message says so"
_EARLIER: Final = "without it OME fails before it comes to that"
#: Results that differ between an unknown and a known kind, by rule or by kind of the prediction, with the reason why that is right.
_TOLD_ALL_THE_SAME: Final[dict[str, dict[tuple[str, str], str]]] = {
    "aim": {
        ("AIM-010", "Node"): _NO_TEMPLATE,
        ("AIM-011", "Node"): _NO_TEMPLATE,
        ("AIM-092", "Node"): _NO_TEMPLATE,
        ("AIM-096", "Node"): _NO_TEMPLATE,
        ("AIM-097", "Node"): _NO_TEMPLATE,
        ("AIM-099", "Node"): _NO_TEMPLATE,
        ("AIM-101", "Node"): _NO_TEMPLATE,
        ("AIM-102", "Node"): _NO_TEMPLATE,
        ("AIMService", "Node"): _NO_TEMPLATE,
    },
    "inference_extension": {
        ("GIE-002", "InferencePool"): "a pool of the other group isn't the one that is referred to",
    },
    "llmaz": {
        ("LLMAZ-040", "ConfigMap/llmaz-global-config"): _NOTHING_MADE,
        ("LLMAZ-064", "ConfigMap/llmaz-global-config"): _NOTHING_MADE,
        ("Playground", "ConfigMap/llmaz-global-config"): _NOTHING_MADE,
        ("Service", "ConfigMap/llmaz-global-config"): _NOTHING_MADE,
        **{(f"LLMAZ-{number}", "ConfigMap/llmaz-global-config"): _NOTHING_MADE for number in ("072", "073", "074", "079", "084")},
        **{(f"LLMAZ-{number}", "BackendRuntime"): _CHART for number in ("072", "073", "074")},
        ("LLMAZ-040", "BackendRuntime"): _NOTHING_MADE,
        ("Playground", "BackendRuntime"): _NOTHING_MADE,
    },
    "ome": {
        ("OME-160", "AcceleratorClass"): _EARLIER,
        **{("OME-175", kind): _EARLIER for kind in ("InferenceService", "ClusterBaseModel")},
        ("InferenceService", "AcceleratorClass"): _EARLIER,
        ("InferenceService", "ClusterServingRuntime"): _EARLIER,
    },
}


@dataclass(frozen=True)
class Example:
    """An example of a rule, as it is judged, with its cluster."""

    family: Family
    judged: Request
    objects: tuple[JSONObject, ...]
    config: Configuration

    @cached_property
    def definitions(self) -> Definitions:
        """The CRDs."""
        return bundled_definitions(self.config)

    def without(self, kind: GroupKind, *, known: bool) -> Facts:
        """The cluster without the objects of a kind, which is either known to have none, or unknown."""
        kept = [obj for obj in self.objects if not _is(obj, kind)]
        return self._facts(kept, () if known else (kind, (kind[0], kind[1].partition("/")[0])))

    def whole(self) -> Facts:
        """The cluster."""
        return self._facts(self.objects)

    def _facts(self, objects: list[JSONObject] | tuple[JSONObject, ...], lacking: tuple[GroupKind, ...] = ()) -> Facts:
        there = {(gvk.group, gvk.kind) for obj in objects if (gvk := GroupVersionKind.from_object(obj)) is not None}
        extent = Extent(complete=(_ALL | there) - set(lacking), not_known=frozenset(lacking))
        return from_objects(objects, self.definitions, extent=extent)


def _is(obj: JSONObject, kind: GroupKind) -> bool:
    gvk, (group, whole) = GroupVersionKind.from_object(obj), kind
    whole, _, name = whole.partition("/")
    return gvk is not None and (gvk.group, gvk.kind) == (group, whole) and (not name or name_of(obj) == name)


def _examples(family: Family) -> Iterator[Example]:
    for rule in family.rules():
        for text in (examples(rule).good, examples(rule).bad):
            config, cluster = parse(examples(rule).config), tuple(stored(example_cluster(rule)))
            request = example_request(family, rule, text)
            found = decide(request, from_objects(cluster, bundled_definitions(config)), config).object
            yield Example(family, replace(request, object=found if isinstance(found, dict) else request.object), cluster, config)


def _looked_up(family: Family, rule: Rule) -> set[GroupKind]:
    """The kinds that the rule itself looks up, not the placement of pods. The operator's kinds are left out, since the configuration has
    the settings that aren't known.
    """
    named = named_kinds(family, rule)
    return (named - _OF_PLACEMENT if named >= _OF_PLACEMENT else named) - {("apps", "Deployment")}


def _said(rule: Rule, example: Example, facts: Facts) -> tuple[set[str], list[str]]:
    """The fields in a rule's findings, and the reasons for unchecked parts."""
    found = list(rule.check(replace(example.judged), facts, example.config))
    fields = {".".join(map(str, one.path)) for one in found if isinstance(one, Finding)}
    return fields, [one.reason for one in found if isinstance(one, Unchecked)]


def _compared(family: Family) -> Iterator[tuple[tuple[str, str], str]]:
    """The results of rules and predictions that differ once a kind is known, by rule and kind."""
    for example in _examples(family):
        worlds: dict[GroupKind, tuple[Facts, Facts, Facts]] = {}
        for rule in family.rules_for(example.judged.gvk.kind):
            for kind in _looked_up(family, rule):
                if kind not in worlds:
                    worlds[kind] = (example.without(kind, known=False), example.without(kind, known=True), example.whole())
                yield from _of_rule(rule, kind, example, worlds[kind])
        for kind, clusters in worlds.items():
            yield from _of_prediction(kind, example, clusters)


def _of_rule(rule: Rule, kind: GroupKind, example: Example, clusters: tuple[Facts, Facts, Facts]) -> Iterator[tuple[tuple[str, str], str]]:
    unknown, empty, whole = (_said(rule, example, facts) for facts in clusters)
    for claimed in unknown[0] - (empty[0] & whole[0]):
        yield (rule.id, kind[1]), f"{claimed}, which isn't said where the kind is known"
    for reason in empty[1]:
        if kind[1].partition("/")[0] in reason or (kind == NODE and "nodes" in reason):
            yield (rule.id, kind[1]), f"{reason!r}, though it is known that there are none"


def _of_prediction(kind: GroupKind, example: Example, clusters: tuple[Facts, Facts, Facts]) -> Iterator[tuple[tuple[str, str], str]]:
    resolve = example.family.predict.get(example.judged.gvk.kind)
    if resolve is None:
        return
    unknown, empty, whole = (_failure(resolve(replace(example.judged), facts, example.config)) for facts in clusters)
    if unknown and (unknown != empty or unknown != whole):
        yield (example.judged.gvk.kind, kind[1]), f"{unknown!r} is predicted, and {empty!r} or {whole!r} where the kind is known"


def _failure(effective: Prediction | None) -> str:
    return effective.failure if effective is not None else ""


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_what_is_said_without_knowing_a_kind_holds_whatever_there_is_of_it(family: Family) -> None:
    found, right = dict(_compared(family)), _TOLD_ALL_THE_SAME.get(family.name, {})
    assert {key: why for key, why in found.items() if key not in right} == {}
    assert set(right) <= set(found), "an exception that isn't needed"
