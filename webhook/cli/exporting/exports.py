"""Translates policies, rules and fill-ins into the server's policies, or says why it can't."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Policies, Policy
from weighbridge.policies.config.selection import Names
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family, Fill
from weighbridge.policies.families.native import fill_id, native_fill, native_policies, why_not_native
from weighbridge.policies.ground.objects import JSONObject, lookup
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.user_policies.native.filled import DEFAULTED, translated_fill_ins
from weighbridge.policies.user_policies.native.meant import Translated
from weighbridge.policies.user_policies.native.objects import translated
from weighbridge.policies.user_policies.native.texts import Untranslatable

#: The flags with which kube-apiserver serves the policies before they are in v1.
_FLAGS: Final = "--runtime-config=admissionregistration.k8s.io/v1beta1=true and --feature-gates=MutatingAdmissionPolicy=true"


@dataclass(slots=True)
class Exports:
    """What was translated, by policy, and what wasn't, by name with the reason.

    `asked` is the number of wanted policies, rules and fill-ins. `built_in_left` are the rules and fill-ins of families that can't be
    exported, and `fills` says whether a fill-in was wanted.
    """

    done: list[tuple[Policy, Translated]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0
    built_in_left: list[tuple[str, str]] = field(default_factory=list)
    fills: bool = False

    @property
    def objects(self) -> Iterator[JSONObject]:
        """All objects."""
        for _, found in self.done:
            yield from found.objects


def exports(wanted: Sequence[str], definitions: Definitions, config: Configuration) -> Exports:
    """The policies of a configuration, the built-in rules and the fill-ins that are wanted by id (all if none is named)."""
    return _Exporting(Names(wanted), definitions, config).found


def known_ids(config: Configuration) -> Iterator[str]:
    """The ids of all policies, rules and fill-ins."""
    yield from (policy.id for policy in config.policies or Policies(()))
    yield from (rule.id for family in families() for rule in family.rules())
    yield from (fill_id(family, fill) for family in families() for fill in family.fills)


class _Exporting:
    """Translates what is wanted, one by one."""

    def __init__(self, wanted: Names, definitions: Definitions, config: Configuration) -> None:
        self.found = Exports()
        self._wanted, self._definitions, self._config = wanted, definitions, config
        for policy in config.policies or Policies(()):
            if wanted.mean(policy.id):
                self._policy(policy)
        for family in families():
            self._rules(family)
        for family in families():
            for fill in family.fills:
                if wanted.mean(fill_id(family, fill)):
                    self._fill(family, fill)

    def _policy(self, policy: Policy) -> None:
        """Translate a policy of the configuration: its checks and its fill-ins."""
        parts = [("validations", translated)] if policy.validations else []
        parts += [("fillIns", translated_fill_ins)] if policy.fill_ins else []
        done = list[Translated]()
        for key, how in parts:
            try:
                done.append(how(policy, list(self._kinds(policy)), self._definitions, self._config))
                left = done[-1].left
            except Untranslatable as why:
                left = [f"{key}: {why}" if len(parts) > 1 and not str(why).startswith(key) else str(why)]
            self.found.left += ((f"{policy.id} {policy.name}", why) for why in left)
        self.found.asked += 1
        self._add(policy, done)

    def _rules(self, family: Family) -> None:
        rules = [rule for rule in family.rules() if self._wanted.mean(rule.id)]
        native = {policy.id: policy for policy in native_policies(family)} if rules else {}
        for rule in rules:
            if rule.id in native:
                self._policy(native[rule.id])
            else:
                self.found.asked += 1
                self.found.built_in_left.append((f"{rule.id} {rule.name}", why_not_native(family, rule)))

    def _fill(self, family: Family, fill: Fill) -> None:
        self.found.asked += 1
        self.found.fills = True
        policy = native_fill(family, fill, self._config)
        if isinstance(policy, str):
            self.found.built_in_left.append((fill_id(family, fill), self._default_of(family, fill) or policy))
            return
        try:
            self._add(policy, [translated_fill_ins(policy, list(self._kinds(policy)), self._definitions, self._config)])
        except Untranslatable as why:
            self.found.built_in_left.append((fill_id(family, fill), str(why)))

    def _default_of(self, family: Family, fill: Fill) -> str:
        """Why a field can't be exported because of the CRD; empty if it can."""
        for kind in family.kinds:
            definition = self._definitions.get(kind.gvk) if kind.gvk.kind == fill.kind else None
            path = [step for name in fill.field.split(".") for step in ("properties", name)]
            if definition is not None and lookup(definition.openapi_schema, [*path, "default"]) is not None:
                return DEFAULTED
        return ""

    def _add(self, policy: Policy, parts: Sequence[Translated]) -> None:
        if parts:
            first = parts[0]
            ends = list(dict.fromkeys(end for one in parts for end in one.ends))
            needs = _newest(one.needs for one in parts)
            self.found.done.append((policy, Translated([obj for one in parts for obj in one.objects], first.kinds, needs, ends)))

    def _kinds(self, policy: Policy) -> Iterator[ResourceDefinition]:
        """The kinds that a policy matches, if their CRDs are known."""
        for gvk in (kind.gvk for family in families() for kind in family.kinds if policy.match.means_kind(kind.gvk)):
            definition = self._definitions.get(gvk)
            if definition is not None and definition.served:
                yield definition


def remarks(found: Exports, definitions: Definitions, *, is_verbose: bool) -> Iterator[str]:
    """The remarks about the output and what isn't in it; with `is_verbose` also why each built-in rule and fill-in isn't."""
    for name, why in (*found.left, *(found.built_in_left if is_verbose else ())):
        yield f"not exported: {name}: {why}"
    for policy, own in found.done:
        yield from (f"{policy.id}: an exception ends on {end}; export again then, since the API server keeps it" for end in own.ends)
    yield f"exported {len(found.done)} of {_asked(found)}"
    if found.done:
        crds = ", ".join(_crds(found, definitions))
        yield f"needs Kubernetes {_newest(own.needs for _, own in found.done)} or later, and the CRDs of {crds}"
    if any(str(obj["apiVersion"]).endswith("/v1beta1") for obj in found.objects):
        yield f"this release serves MutatingAdmissionPolicies only with {_FLAGS}"


def _asked(found: Exports) -> str:
    if found.asked == 1:
        return f"1 policy{', rule or fill-in' if found.fills else ' or rule'}"
    return f"{found.asked} policies{', rules and fill-ins' if found.fills else ' and rules'}"


def _newest(versions: Iterable[str]) -> str:
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def _crds(found: Exports, definitions: Definitions) -> Iterator[str]:
    """The releases by whose CRDs the expressions were checked, those of a system together, and kinds whose CRDs were given."""
    versions: dict[str, set[str]] = {}
    for gvk in dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds):
        origin = definitions.origin(gvk)
        title, space, version = origin.name.partition(" v") if origin is not None else (f"{gvk.kind}.{gvk.group}", "", "")
        versions.setdefault(title, set()).update([f"v{version}"] if space else [])
    for title, known in sorted(versions.items()):
        yield f"{title} ({', '.join(sorted(known))})" if len(known) > 1 else " ".join([title, *known])
