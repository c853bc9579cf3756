"""The steps for what a request does to other objects: filled-in values that no longer fit, and objects that break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.apiserver.built_in import is_built_in
from weighbridge.policies.families import readers_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.findings import Finding, Unchecked
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.breakage import broken_objects
from weighbridge.policies.verdict.judgement import enforce
from weighbridge.policies.verdict.stale_values import stale_values
from weighbridge.policies.verdict.way import Context, Found, Judged, Ruled


def affect(context: Context, found: Found, judged: Judged, ruled: Ruled) -> Ruled:
    """Check other objects: find filled-in values that no longer fit, and objects that break."""
    request, family = judged.request, context.family
    if family is None:
        return ruled
    stale = stale_values(request, family, context.facts, context.config, is_offline=context.is_offline)
    findings = [*ruled.findings, *_taken(stale, request, context, found)]
    context.check_deadline()
    return Ruled([*findings, *_broken(request, family, context, found)])


def affect_by_deletion(context: Context, found: Found) -> None:
    """Find the objects that a deletion breaks. Rules aren't run on the deleted object."""
    request = context.request
    if request.subresource:
        return
    for family in [context.family] if context.family is not None else _readers(request, context):
        context.check_deadline()
        found.tell(_broken(request, family, context, found))


def affect_readers(context: Context, found: Found, judged: Judged) -> None:
    """Find the objects that break by a change of an object that no family owns, such as a ConfigMap with an operator's settings."""
    for family in _readers(judged.request, context):
        found.tell(_broken(judged.request, family, context, found))


def _readers(request: Request, context: Context) -> Iterator[Family]:
    """The families with stored objects whose predictions read the request's object, which belongs to no family."""
    changed = request.object if isinstance(request.object, dict) else request.old_object
    if isinstance(changed, dict) and is_built_in(request.gvk.group, request.gvk.version, request.gvk.kind):
        yield from readers_of(request.gvk, changed, {group for group, _ in context.facts.objects.kinds()})


def _broken(request: Request, family: Family, context: Context, found: Found) -> list[Finding]:
    """The finding about the objects that the request breaks."""
    return _taken(broken_objects(request, family, context.facts, context.config, context.expired), request, context, found)


def _taken(results: Iterable[Finding | Unchecked], request: Request, context: Context, found: Found) -> list[Finding]:
    """The findings with the configured severities. Entries of what isn't checked are added to `found`."""
    results = list(results)
    found.unchecked += (entry for entry in results if isinstance(entry, Unchecked))
    return enforce([entry for entry in results if isinstance(entry, Finding)], context.config, request, context.facts.objects)
