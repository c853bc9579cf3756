"""LLMKube's validating webhook for ModelRouters (`vmodelrouter.inference.llmkube.dev`): whether it refuses a router, and with which
message.

It is called on creations and updates, and accepts an update that doesn't change the spec. A controller sees a router only after that.
Source: LLMKube v0.9.19, config/webhook/manifests.yaml; measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from weighbridge.policies.apiserver.refusal import Refusal, bad_request, invalid
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.upstream.router_gateway import gateway_objections
from weighbridge.policies.families.llmkube.upstream.router_spec import Objection, Topic, static_objections
from weighbridge.policies.ground.durations import parse_problem
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, Path, field, name_of

WEBHOOK: Final = "vmodelrouter.inference.llmkube.dev"
#: The topics of the data plane Gateway; upstream reports only the first objection of each.
_GATEWAY: Final = frozenset(topic for topic in Topic if topic.startswith("gateway"))


def objections(router: JSONObject | None, *topics: Topic) -> Iterator[Objection]:
    """All of upstream's objections, or those on some topics."""
    spec, asked = spec_of(router), frozenset(topics or Topic)
    found = chain(static_objections(spec) if asked - _GATEWAY else (), gateway_objections(spec) if asked & _GATEWAY else ())
    return (objection for objection in found if objection.topic in asked)


def unreadable_durations(router: JSONObject | None) -> Iterator[tuple[Path, str]]:
    """The durations that can't be parsed, with Go's message, in the order in which the object is decoded."""
    spec = spec_of(router)
    for index, backend in enumerate(items(spec, "backends")):
        yield from _unreadable(backend, "timeout", ("spec", "backends", index))
    for key in ("quarantineDuration", "responseHeaderTimeout"):
        yield from _unreadable(part(spec, "proxy"), key, ("spec", "proxy"))
    for index, rule in enumerate(items(spec, "rules")):
        yield from _unreadable(rule, "timeout", ("spec", "rules", index))


def _unreadable(holder: JSONObject, key: str, path: Path) -> Iterator[tuple[Path, str]]:
    value = holder.get(key)
    problem = parse_problem(value) if isinstance(value, str) else ""
    if problem:
        yield (*path, key), problem


def refusal(router: JSONObject, old: JSONObject | None = None) -> Refusal | None:
    """The webhook's refusal, without the words that the API server puts before it; `None` if it accepts the router."""
    unreadable = next(unreadable_durations(router), None)
    if unreadable is not None:
        return bad_request(unreadable[1])
    if old is not None and spec_of(old) == spec_of(router):
        return None
    errors = [FieldError(ErrorType.INVALID, field(objection.field), None, objection.detail) for objection in _reported(objections(router))]
    return invalid("ModelRouter", "inference.llmkube.dev", name_of(router), errors) if errors else None


def _reported(found: Iterator[Objection]) -> Iterator[Objection]:
    reported: set[Topic] = set()
    for objection in found:
        if objection.topic not in reported or objection.topic not in _GATEWAY:
            yield objection
        reported.add(objection.topic)
