"""The results of rules for their examples if the whole cluster except one kind is known."""

from __future__ import annotations

from typing import Final

from tests.families.examples import example_cluster, example_request, examples
from tests.families.test_catalogue import RULES
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.webhook.inputs.facts import bundled_definitions

#: Kinds outside of their family that rules of OME and AIM look up.
_OTHERS: Final = (
    ("", "PersistentVolumeClaim"),
    ("storage.k8s.io", "StorageClass"),
    ("gateway.networking.k8s.io", "Gateway"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
)


def unchecked(family: Family, rule: Rule, example: str, lacking: str) -> list[str]:
    """Why a rule can't judge an example if the objects of a kind aren't known."""
    held = [obj for obj in example_cluster(rule) if obj["kind"] != lacking]
    facts = from_objects(held, bundled_definitions())
    kinds = [*((kind.gvk.group, kind.gvk.kind) for kind in family.kinds), *_OTHERS]
    facts.objects.complete(besides=[kind for kind in kinds if kind[1] != lacking])
    said = rule.check(example_request(family, rule, example), facts, parse(examples(rule).config))
    return [one.reason for one in said if isinstance(one, Unchecked)]


def all_unchecked(family: str) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """By rule and kind, why the good and the bad example can't be judged; only for those that can't be."""
    found = {
        (rule.id, lacking): (unchecked(of, rule, examples(rule).good, lacking), unchecked(of, rule, examples(rule).bad, lacking))
        for of, rule in RULES
        if of.name == family
        for lacking in (kind.partition(".")[0] for kind in rule.reads)
    }
    return {key: reasons for key, reasons in found.items() if any(reasons)}
