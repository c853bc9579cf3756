"""Findings about values that were filled into stored objects and no longer fit.

On the command line with `--cluster`, a manifest takes the place of the stored object among the facts, and the stored object is checked,
too. In a cluster the update itself brings the values up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.staleness import mending_command, stale_fields
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal

#: The id of the finding that a filled-in value no longer fits.
STALE: Final = "WB-001"
#: How many objects are checked for one change.
_MOST: Final = 200


def stale_values(
    request: Request, family: Family, facts: Facts, config: Configuration, *, is_offline: bool
) -> Iterator[Finding | Unchecked]:
    """A finding for each stored object whose filled-in values no longer fit once the request's object is stored."""
    yield from _own(request, family, facts, config)
    dependents = family.dependents.get(request.gvk.kind)
    if dependents is None or not isinstance(request.object, dict) or not (is_offline or _changes_spec(request)):
        return
    # Only the judged object changes; the dependents are as they are stored.
    after = facts.overlaid([request.object])
    for looked_at, obj in enumerate(dependents(request, facts)):
        if looked_at >= _MOST:
            yield Unchecked(f"{STALE} value-no-longer-follows", f"only the first {_MOST} of the objects that go by it were looked at")
            break
        fields = _stale_fields(obj, family, after, config, by_others=True)
        if fields:
            names = ", ".join(map(field, fields))
            subject = f'{names} of {obj.get("kind")} "{name_of(obj)}"'
            text = f"{subject} was filled in before and no longer fits this {request.gvk.kind}"
            yield Finding(STALE, Severity.WARNING, (), f"{text}; to update it, run: {mending_command(obj, family)}")


def _own(request: Request, family: Family, facts: Facts, config: Configuration) -> Iterator[Finding]:
    stored: JSONValue = facts.replaced.get(request.gvk.group, request.gvk.kind, request.namespace, request.name)
    if not stored or family.kind(request.gvk) is None:
        return
    for path in _stale_fields(stored, family, facts, config, by_others=False):
        text = "the stored value was filled in before and no longer fits"
        yield Finding(STALE, Severity.WARNING, path, f"{text}; to update it, run: {mending_command(stored, family)}")


def _stale_fields(obj: JSONObject, family: Family, facts: Facts, config: Configuration, *, by_others: bool) -> list[Path]:
    """The fields of a stored object that the family or policies would fill in otherwise now."""
    found = stale_fields(obj, family, facts, config)
    if config.policies is None or not config.policies.fill_in:
        return found
    from weighbridge.policies.verdict.own_fill_ins import stale_values_of_policies

    return [*found, *stale_values_of_policies(obj, family, facts, config, by_others=by_others)]


def _changes_spec(request: Request) -> bool:
    old = request.old_object
    return not isinstance(old, dict) or not deep_equal(request.object.get("spec"), old.get("spec"))
