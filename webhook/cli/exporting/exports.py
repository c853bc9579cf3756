"""Policies and rules in the server's words, and why the others aren't."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Policies, Policy
from weighbridge.policies.config.selection import Names
from weighbridge.policies.families import families
from weighbridge.policies.families.native import native_policies
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import amount
from weighbridge.policies.user_policies.native.meant import Translated
from weighbridge.policies.user_policies.native.objects import translated
from weighbridge.policies.user_policies.native.texts import Untranslatable


@dataclass(slots=True)
class Exports:
    """What was translated, by policy, and what wasn't, each with the reason. `rules_left` is how many rules have no expressions."""

    done: list[tuple[Policy, Translated]] = field(default_factory=list)
    left: list[tuple[Policy, str]] = field(default_factory=list)
    rules_left: int = 0

    @property
    def objects(self) -> Iterator[JSONObject]:
        """All objects."""
        for _, found in self.done:
            yield from found.objects


def exports(wanted: Sequence[str], definitions: Definitions, config: Configuration) -> Exports:
    """The policies of a configuration and the built-in rules that are wanted by id (all where none is named)."""
    found, names = Exports(), Names(wanted)
    for policy in config.policies or Policies(()):
        if names.mean(policy.id):
            _translate(policy, definitions, config, found)
    for family in families():
        ids = [rule.id for rule in family.rules() if names.mean(rule.id)]
        native = {policy.id: policy for policy in native_policies(family)} if ids else {}
        for id_ in ids:
            if id_ in native:
                _translate(native[id_], definitions, config, found)
        found.rules_left += len(ids) - len(native.keys() & {*ids})
    return found


def known_ids(config: Configuration) -> Iterator[str]:
    """The ids of all policies and rules."""
    yield from (policy.id for policy in config.policies or Policies(()))
    yield from (rule.id for family in families() for rule in family.rules())


def _translate(policy: Policy, definitions: Definitions, config: Configuration, found: Exports) -> None:
    try:
        found.done.append((policy, translated(policy, list(_kinds(policy, definitions)), definitions, config)))
    except Untranslatable as why:
        found.left.append((policy, str(why)))


def _kinds(policy: Policy, definitions: Definitions) -> Iterator[ResourceDefinition]:
    """The kinds that a policy is about, as far as their CRDs are known."""
    for gvk in (kind.gvk for family in families() for kind in family.kinds if policy.match.means_kind(kind.gvk)):
        definition = definitions.get(gvk)
        if definition is not None and definition.served:
            yield definition


def remarks(found: Exports, definitions: Definitions, *, is_verbose: bool) -> Iterator[str]:
    """What is said of the output, and of what isn't in it."""
    for policy, why in found.left:
        yield f"not exported: {policy.id} {policy.name}: {why}"
    if found.rules_left and is_verbose:
        yield f"not exported: {amount(found.rules_left, 'built-in rule')} without an expression: most look at more than one object's fields"
    for policy, own in found.done:
        yield from (f"{policy.id}: an exception ends on {end}; export again then, since the API server keeps it" for end in own.ends)
    yield f"exported {len(found.done)} of {len(found.done) + len(found.left) + found.rules_left} policies and rules"
    if found.done:
        crds = ", ".join(_crds(found, definitions))
        yield f"needs Kubernetes {_newest(own.needs for _, own in found.done)} or later, and the CRDs of {crds}"


def _newest(versions: Iterable[str]) -> str:
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def _crds(found: Exports, definitions: Definitions) -> Iterator[str]:
    """The releases whose CRDs the expressions were checked by, those of a system together; kinds whose CRDs were given."""
    versions: dict[str, set[str]] = {}
    for gvk in dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds):
        origin = definitions.origin(gvk)
        title, space, version = origin.name.partition(" v") if origin is not None else (f"{gvk.kind}.{gvk.group}", "", "")
        versions.setdefault(title, set()).update([f"v{version}"] if space else [])
    for title, known in sorted(versions.items()):
        yield f"{title} ({', '.join(sorted(known))})" if len(known) > 1 else " ".join([title, *known])
