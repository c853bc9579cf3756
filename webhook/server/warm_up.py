"""Judges an object of each installed kind before the first call, since the first verdict on a kind takes up to a hundred times as long.

The first verdict imports the family's modules, compiles the kind's CRD, and computes what the cluster's nodes and devices offer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

import yaml

from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families, families_of
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.inputs.requests import request_of
from weighbridge.webhook.inputs.rule_examples import examples_of
from weighbridge.webhook.server.service import Service

#: After this number of CPU seconds, no further kind is warmed up, since the server isn't ready before the warm-up ends.
_SECONDS: Final = 5.0
_NAMESPACE: Final = "default"
_log: Final = logging.getLogger("weighbridge.server")


def warm_up(service: Service, clock: Callable[[], float] = time.thread_time) -> Iterator[None]:
    """Judge an object of each installed kind: a stored one or an example of the kind's rules. Each step is one kind.

    To save memory, families without stored objects are left out, unless no family has any.
    """
    facts, until = service.facts_now(), clock() + _SECONDS
    for family in [*families_of(group for group, _ in facts.objects.kinds())] or families():
        for kind in family.kinds:
            if facts.definitions.installed(kind.gvk) is None or clock() > until:
                continue
            try:
                if _judge(service, facts, family, kind):
                    service.warm.add((kind.gvk.group, kind.gvk.kind))
            except Exception:
                # A defect of ours must not keep the server from starting.
                _log.exception("%s could not be warmed up", kind.gvk)
            yield


def _judge(service: Service, facts: Facts, family: Family, kind: Kind) -> bool:
    """Judge one object of a kind in both phases; returns whether there is an object."""
    obj, around = next(facts.objects.list(kind.gvk.group, kind.gvk.kind), None), list[JSONObject]()
    if obj is None:
        example = max(_examples(family, kind), key=len, default=None)
        if example is None:
            return False
        obj, *around = example
    deadline = service.clock() + service.settings.deadline
    for phase in (Phase.MUTATE, Phase.VALIDATE):
        request = request_of(obj, facts.definitions, uid="warming-up", namespace=_NAMESPACE)
        known = facts.overlaid(around) if around else facts
        service.decide(request, known, service.config, phase, expired=lambda: service.clock() > deadline)
    return True


def _examples(family: Family, kind: Kind) -> Iterator[list[JSONObject]]:
    """The good examples of a kind's rules: the object, with the objects of the cluster."""
    for rule in family.rules_for(kind.gvk.kind):
        examples = examples_of(family, rule)
        if examples is not None:
            example = examples.good.with_both(examples.both)
            found = [*_documents(example.object), *_documents(example.cluster)]
            if found and found[0].get("kind") == kind.gvk.kind:
                yield found


def _documents(text: str) -> list[JSONObject]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [found for found in yaml.load_all(text, Loader=loader) if isinstance(found, dict)]
