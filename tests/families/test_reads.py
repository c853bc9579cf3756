"""The kinds that rules, fill-ins and predictions read are declared by each rule, watched, permitted and in a snapshot."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.doors.cases import CASES
from tests.families.examples import example_cluster, example_request, examples
from tests.families.recording import NODE, recording
from tests.families.test_catalogue import IDS, RULES
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import GroupKind, kind_text
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.inference_extension.subject.workloads import GIVEN
from weighbridge.policies.families.installed import is_installed
from weighbridge.policies.families.llmkube.family import FAMILY as LLMKUBE
from weighbridge.policies.families.llmkube.predictions.service import add_ons
from weighbridge.policies.families.llmkube.rulebook import PREDICTED
from weighbridge.policies.families.llmkube.rules import _add_ons
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.permissions import cluster_roles
from weighbridge.webhook.cluster.transform import defined_groups
from weighbridge.webhook.inputs.facts import bundled_definitions

# The first test goes through all examples and cases.
pytestmark = pytest.mark.timeout(600)

#: Kinds that are looked up among the given manifests, and never read from a cluster.
NEVER_WATCHED: set[GroupKind] = {
    ("", "Secret"),
    *GIVEN,
    # The webhook of HAMi is one of the three signs by which HAMi is recognised.
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    # The API server asks these policies itself.
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
}
PLACEMENT = {kind.known_as for kind in PLACEMENT_KINDS}
#: Kinds that only the placement of pods looks up.
PLACING: GroupKind = ("", "LimitRange")


@dataclass
class Asked:
    """The looked-up kinds if all objects are stored, by rule and by kind of the judged object.

    `verdicts` are the kinds of whole verdicts. `beside` are the kinds that are read only if a manifest is given along with the judged one,
    since that is read as it will be in the cluster.
    """

    verdicts: dict[tuple[str, str], set[GroupKind]] = field(default_factory=lambda: defaultdict(set))
    rules: dict[str, set[GroupKind]] = field(default_factory=lambda: defaultdict(set))
    beside: dict[str, set[GroupKind]] = field(default_factory=lambda: defaultdict(set))
    defaults: dict[str, set[GroupKind]] = field(default_factory=lambda: defaultdict(set))
    resolve: dict[str, set[GroupKind]] = field(default_factory=lambda: defaultdict(set))


def stored(objects: list[Any]) -> list[JSONObject]:
    """The objects as a server stores them."""
    copies = [copy.deepcopy(obj) for obj in objects if isinstance(obj, dict)]
    for obj in copies:
        obj.setdefault("metadata", {}).setdefault("creationTimestamp", "2026-01-01T00:00:00Z")
    return copies


def _examples() -> Iterator[tuple[Request, list[Any], Configuration]]:
    """Every example of every rule with its cluster, then every case."""
    for family, rule in RULES:
        for text in (examples(rule).good, examples(rule).bad):
            request = example_request(family, rule, text)
            yield request, example_cluster(rule), parse(examples(rule).config)
    for case in CASES:
        yield case.request(), case.cluster or [], case.configuration()


def _check(family: Family, judged: Request, facts: Facts, config: Configuration, rules: dict[str, set[GroupKind]]) -> None:
    """Record the kinds that each rule looks up."""
    for rule in family.rules_for(judged.gvk.kind):
        recorded, found = recording(facts)
        list(rule.check(replace(judged), recorded, config))
        rules[rule.id] |= found


def _ask(asked: Asked, request: Request, cluster: list[Any], config: Configuration) -> None:
    """Check an object with the cluster stored and with the cluster as manifests; fill in and predict with the cluster stored."""
    family = family_of(request.gvk.group)
    assert family is not None
    kind, definitions = request.gvk.kind, bundled_definitions(config)
    facts = from_objects(stored(cluster), definitions)
    recorded, found = recording(facts)
    decided = decide(request, recorded, config).object
    asked.verdicts[request.gvk.group, kind] |= found
    judged = replace(request, object=decided if isinstance(decided, dict) else request.object)
    _check(family, judged, facts, config, asked.rules)
    _check(family, judged, from_objects(cluster, definitions), config, asked.beside)
    if kind in family.fill and isinstance(request.object, dict):
        recorded, found = recording(facts)
        family.fill[kind](Mutation(copy.deepcopy(request.object)), request, recorded, config)
        asked.defaults[kind] |= found
    if kind in family.predict:
        recorded, found = recording(facts)
        family.predict[kind](judged, recorded, config)
        asked.resolve[kind] |= found


@pytest.fixture(scope="module")
def asked() -> Asked:
    """The kinds of all examples and cases, which are run once."""
    found = Asked()
    for request, cluster, config in _examples():
        _ask(found, request, cluster, config)
    return found


def named_kinds(family: Family, rule: Rule) -> set[GroupKind]:
    """The kinds that a rule declares in `reads`: those of its own group or the core one by their names, others as ``Kind.group``.

    A kind of the core group with the same name as one of the rule's own group is ``Kind.core``.
    """
    own = next(kind.gvk.group for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
    kinds = {kind.gvk.kind for kind in (*family.kinds, *family.looks_up) if kind.gvk.group == own}
    named = ((group, kind) for kind, _, group in (name.partition(".") for name in rule.reads))
    return {(own if not group and kind in kinds else group.removeprefix("core"), kind) for group, kind in named}


def _watched() -> set[GroupKind]:
    return {kind.known_as for kind in watched_kinds()}


def _texts(kinds: set[GroupKind]) -> list[str]:
    return sorted(map(kind_text, kinds))


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_what_a_rule_says_it_reads_is_watched_and_spelled_in_one_way(family: Family, rule: Rule) -> None:
    assert list(rule.reads) == sorted(set(rule.reads))
    named = named_kinds(family, rule)
    assert len(named) == len(rule.reads), "one kind has two names"
    assert _texts(named - _watched()) == []
    own = next(kind.gvk.group for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
    assert not [name for name in rule.reads if name.endswith(f".{own}")], "kinds of the rule's own group have no group"


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_rule_reads_nothing_else_for_its_examples(family: Family, rule: Rule) -> None:
    config = parse(examples(rule).config)
    facts, read = recording(from_objects(stored(example_cluster(rule)), bundled_definitions(config)))
    for text in (examples(rule).good, examples(rule).bad):
        list(rule.check(example_request(family, rule, text), facts, config))
    assert _texts(read - NEVER_WATCHED - named_kinds(family, rule)) == []


# These go through all rules in one test: in a parallel run, each process with a part of them would compute `asked` again.


def test_each_rule_reads_what_it_says_and_nothing_else(asked: Asked) -> None:
    otherwise = {}
    predicted = named_kinds(LLMKUBE, next(rule for family, rule in RULES if family is LLMKUBE and rule.reads == PREDICTED))
    assert predicted <= asked.resolve["InferenceService"]
    for family, rule in RULES:
        found = asked.rules[rule.id] - NEVER_WATCHED
        named = named_kinds(family, rule)
        if PLACING in found and named >= PLACEMENT:
            # The pod decides which of these are looked up: no case has all of them.
            named -= PLACEMENT - found
        if set(rule.reads) >= set(PREDICTED):
            # The service and its Model decide which of these are looked up: no case of a rule has all of them.
            named -= predicted - found
        if named != found:
            otherwise[rule.id] = {"says": _texts(named), "reads": _texts(found)}
    assert otherwise == {}, "write the kinds of `reads` into `reads=(...)` of each rule, or `reads=()` if it is empty"


def test_manifests_beside_bring_in_what_defaults_and_predictions_read(asked: Asked) -> None:
    unforeseen = {}
    for family, rule in RULES:
        foreseen = {kind for _, name in named_kinds(family, rule) for kind in asked.defaults[name] | asked.resolve[name]}
        if left := asked.beside[rule.id] - asked.rules[rule.id] - foreseen - named_kinds(family, rule) - NEVER_WATCHED:
            unforeseen[rule.id] = _texts(left)
    assert unforeseen == {}


def test_all_that_is_read_is_watched(asked: Asked) -> None:
    read = set().union(*asked.rules.values(), *asked.beside.values(), *asked.defaults.values(), *asked.resolve.values())
    assert _texts(read - _watched() - NEVER_WATCHED) == []
    assert {("", "Node"), ("apps", "Deployment"), ("", "Service")} < read


def test_a_verdict_reads_what_its_family_says_that_it_may_need(asked: Asked) -> None:
    """A verdict that needs a kind warns if the facts about it are old."""
    unforeseen = {}
    for (group, kind), found in asked.verdicts.items():
        family = family_of(group)
        assert family is not None
        # Every verdict passes the nodes on, even if it doesn't read them.
        if left := found - family.needs(kind) - NEVER_WATCHED - {NODE}:
            unforeseen[kind] = _texts(left)
    assert unforeseen == {}


def test_what_families_look_up_of_others_is_read_by_one_of_theirs(asked: Asked) -> None:
    for family in families():
        own = {rule.id for rule in family.rules()}
        read = {kind for id_, kinds in asked.rules.items() if id_ in own for kind in kinds}
        read |= {kind for name in (kind.gvk.kind for kind in family.kinds) for kind in asked.resolve[name] | asked.defaults[name]}
        looked_up = {kind.known_as for kind in family.looks_up}
        assert _texts(looked_up - read) == []


def test_add_ons_are_those_that_rules_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: set[str] = set()

    def ask(group: str, facts: Facts) -> bool | None:
        asked_for.add(group)
        return is_installed(group, facts)

    for module in (_add_ons, add_ons):
        monkeypatch.setattr(module, "is_installed", ask)
    for case in CASES:
        decide(case.request(), case.facts(), case.configuration())
    assert asked_for == set(LLMKUBE.add_ons)
    assert asked_for < defined_groups()


def test_the_cluster_role_permits_what_is_watched_and_nothing_else() -> None:
    role, *_ = cluster_roles()
    permitted = {
        (group, plural, name)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for plural in rule["resources"]
        for name in rule.get("resourceNames", [""])
    }
    assert permitted == {(kind.gvk.group, kind.plural, kind.name) for kind in watched_kinds()}
    assert not [entry for entry in permitted if entry[:2] == ("", "secrets")]
    assert sorted(name for group, plural, name in permitted if (group, plural) == ("", "configmaps")) == [
        "benchmarkjob-config",
        "cluster-autoscaler-status",
        "inferenceservice-config",
        "llmaz-global-config",
    ]
    assert (CRDS.gvk.group, CRDS.plural, "") in permitted
