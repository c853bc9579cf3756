"""Every object of the cases, of the rules' examples and of the recordings for which the prediction fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from tests.aim import records as of_aim
from tests.aim import replay as aim_cases
from tests.doors import cases
from tests.families import examples
from tests.llmaz import records as of_llmaz
from tests.llmkube import operator_cluster
from tests.llmkube import replay as of_llmkube
from tests.ome import records as of_ome
from tests.ome.test_benchmark_records import benchmarks
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

#: Kinds of llmaz's recordings that have predictions.
_LLMAZ: Final = ("Playground", "Service")


@dataclass(frozen=True, slots=True)
class Failing:
    """An object with its cluster, and the failure in its prediction."""

    id: str
    family: Family
    request: Request
    facts: Facts
    config: Configuration
    failure: str

    def decision(self, phase: Phase = Phase.WHOLE) -> Decision:
        """The verdict on the object."""
        return decide(self.request, self.facts, self.config, phase)


@cache
def failing() -> tuple[Failing, ...]:
    """All failing objects that the API server accepts."""
    found = []
    for name, request, facts, config in situations():
        family = family_of(request.gvk.group)
        resolve = family.predict.get(request.gvk.kind) if family is not None else None
        predicted = resolve(request, facts, config.within(request.namespace)) if resolve is not None else None
        if family is None or predicted is None or not predicted.failure:
            continue
        # Filled-in values may prevent the failure.
        effective = decide(request, facts, config).effective
        if effective is not None and effective.get("failure"):
            found.append(Failing(name, family, request, facts, config, effective["failure"]))
    return tuple(found)


def situations() -> Iterator[tuple[str, Request, Facts, Configuration]]:
    """Every object with its title, its request and its cluster."""
    for family in families():
        for folder in sorted((cases.ROOT / family.name).iterdir()):
            case = cases.load(folder)
            yield case.id, case.request(), case.facts(), case.configuration()
        for rule in family.rules():
            for example in (examples.examples(rule).good, examples.examples(rule).bad):
                config = parse(examples.examples(rule).config)
                yield f"example of {rule.id}", examples.example_request(family, rule, example), examples.example_facts(rule), config
    yield from _recorded()


def _recorded() -> Iterator[tuple[str, Request, Facts, Configuration]]:
    for file in of_aim.FILES:
        for record in of_aim.records(file):
            facts, stored = aim_cases.facts_of(record)
            yield from ((f"{file} {record['id']}", request_of(obj), facts, DEFAULT) for obj in stored)
    for record in of_llmaz.records():
        kept = [taken for obj in record["objects"] if (taken := of_llmaz.answer(obj).object) is not None]
        for obj in kept:
            if obj["kind"] in _LLMAZ and obj["apiVersion"].startswith("inference"):
                others = [other for other in kept if other is not obj]
                yield f"llmaz {record['id']}", request_of(obj), of_llmaz.facts_of(record, others), DEFAULT
    for record in of_llmkube.records():
        config = of_llmkube.configuration(record)
        facts = operator_cluster.cluster(record, config)
        stored_ones = [answer.stored for answer in operator_cluster.play(record).answers if answer.stored is not None]
        for obj in stored_ones:
            facts.objects.put(obj)
        yield from ((f"llmkube {record['id']}", request_of(obj), facts, config) for obj in stored_ones)
    for record in of_ome.records():
        facts, services = of_ome.cluster_of(record)
        yield from ((f"ome {record['id']}", request_of(obj), facts, DEFAULT) for obj in services)
    for record, job, facts in benchmarks():
        yield f"ome {record['id']}", request_of(job), facts, DEFAULT


def request_of(obj: JSONObject) -> Request:
    """The request that creates an object."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
