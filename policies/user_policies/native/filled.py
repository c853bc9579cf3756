"""The fill-ins of a policy as a MutatingAdmissionPolicy with its bindings.

It fills in fields without a value, and records that as Weighbridge does. It doesn't update them: it can't distinguish an author's later
value from a filled-in one, so an existing value stays. Source: k8s.io/apiserver pkg/admission/plugin/policy/mutating, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.admission_policies.declarations import GROUP, MUTATING_BINDING, MUTATING_POLICY
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.config.field_paths import path_of
from weighbridge.policies.config.policies import Policies, Policy
from weighbridge.policies.config.sections import POLICY_PREFIX
from weighbridge.policies.families import family_of
from weighbridge.policies.families.fill.record import PATH as RECORD
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path, field
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import RELEASES, ServerRelease, release
from weighbridge.policies.user_policies.compiled_policy import CompiledFillIn, CompiledPolicy
from weighbridge.policies.user_policies.native.checks import Placed, check
from weighbridge.policies.user_policies.native.meant import Meant, Translated
from weighbridge.policies.user_policies.native.patches import FreeNames, Patch, Recording, patch
from weighbridge.policies.user_policies.native.texts import Untranslatable, literal
from weighbridge.policies.user_policies.reads import fields_read, meet
from weighbridge.policies.user_policies.vocabulary import OBJECT, OLD, VARIABLES

_PREFIX: Final = f"{VARIABLES}."
_ITSELF: Final = "Weighbridge"
#: A field with a default in the CRD has that value before any policy runs.
DEFAULTED: Final = "has a default in the CRD, which a policy can't tell from a value that was written"


def translated_fill_ins(policy: Policy, definitions: Sequence[ResourceDefinition], known: Definitions, config: Configuration) -> Translated:
    """The fill-ins of a policy as objects, for the kinds that it matches. Raises Untranslatable."""
    if config.mode == "audit":
        raise Untranslatable("mode audit fills in nothing")
    return _FillIns(policy, definitions, known, config).translated()


class _FillIns:
    """The translation of one policy; the fill-ins of a family are in force everywhere."""

    def __init__(self, policy: Policy, definitions: Sequence[ResourceDefinition], known: Definitions, config: Configuration) -> None:
        self._policy, self._config = policy, config
        self._is_own = policy.id.startswith(POLICY_PREFIX)
        self._meant = Meant(policy, definitions, config if self._is_own else DEFAULT)
        self._compiled = [(one, CompiledPolicy(policy, one.openapi_schema, known)) for one in self._meant.definitions]
        for definition, compiled in self._compiled:
            self._check(definition, compiled, None)
        #: Why fill-ins can't be exported, by their indexes.
        self._left = dict(self._unfit())
        if len(self._left) == len(policy.fill_ins):
            raise Untranslatable(next(iter(self._left.values())))

    def _unfit(self) -> Iterator[tuple[int, str]]:
        for index in range(len(self._policy.fill_ins)):
            try:
                for definition, compiled in self._compiled:
                    self._check(definition, compiled, compiled.fill_ins[index])
                    names = self._names()
                    self._patch(compiled.fill_ins[index], definition, names, self._recording(names))
            except Untranslatable as why:
                yield index, str(why)

    def _check(self, definition: ResourceDefinition, compiled: CompiledPolicy, entry: CompiledFillIn | None) -> None:
        """Raise Untranslatable if the server would fill in another value, for example because its policies have no order.

        Without an entry the conditions are checked, which all of them have.
        """
        placed = list(_placed(compiled, entry))
        check(compiled, placed, is_namespaced=definition.namespaced)
        others = list(self._filled_by_others(definition.gvk))
        own = [(self._policy.id, one.field.path) for one in compiled.fill_ins] if self._is_own else []
        if entry is not None:
            place, path = f"fillIns[{entry.index}]", entry.field.path
            if entry.field.declared.schema.default is not None:
                raise Untranslatable(f"{place}: {field(path)} {DEFAULTED}")
            for who, other in others:
                if meet(path, other):
                    raise Untranslatable(f"{place}: {who} fills in {field(other)} too, and the API server asks policies in no order")
        for where, expression in placed:
            itself = entry.field.path if entry is not None and where[0] == "fillIns" else None
            for read in fields_read(expression.compiled.checked.root):
                for who, other in (*others, *own):
                    if meet(read, other) and other != itself:
                        raise Untranslatable(f"{field(where)} reads {field(read) or OBJECT}, which {who} fills in")
        selectors = [self._policy.match.label_selector, *(one.match.label_selector for one in self._meant.exceptions)]
        for key in sorted({key for selector in selectors for key in selector.keys}):
            for who, other in (*others, *own):
                if meet(("metadata", "labels", key), other):
                    raise Untranslatable(f"a labelSelector reads the label {key}, which {who} fills in")

    def _filled_by_others(self, gvk: GroupVersionKind) -> Iterator[tuple[str, Path]]:
        for other in self._config.policies or Policies(()):
            if other.id != self._policy.id and other.match.means_kind(gvk):
                yield from ((other.id, path_of(entry.field_path)) for entry in other.fill_ins)
        family = family_of(gvk.group)
        if family is not None and self._is_own:
            yield from ((_ITSELF, path) for path in sorted(family.filled_fields(gvk.kind)))

    def translated(self) -> Translated:
        """Its objects. Raises Untranslatable."""
        places = self._meant.places(Severity.ERROR, lambda action: "" if action in (Enforcement.DENY, Enforcement.WARN) else str(action))
        if "" not in places:
            raise Untranslatable("the configuration has it fill in nothing")
        first, *others = [self._patches(definition, compiled) for definition, compiled in self._compiled]
        if any(one != first for one in others):
            raise Untranslatable("its kinds have different defaults within the values; write a policy for each kind")
        name, api = f"weighbridge-{self._policy.id.lower()}-fill-in", f"{GROUP}/{_version()}"
        policy: JSONObject = {
            "apiVersion": api,
            "kind": MUTATING_POLICY,
            "metadata": self._meant.metadata(name),
            "spec": self._spec(self._meant.head(self._compiled[0][1], places[""], [_changes()]), first),
        }
        objects = [policy, *self._meant.bindings((api, MUTATING_BINDING), name, places[""], {})]
        since = ServerRelease.serves_mutating_policies.version
        needs = ServerRelease(since).name if release().serves_mutating_policies else RELEASES[0].name
        return replace(self._meant.translated(objects, needs), left=list(self._left.values()))

    def _kept(self, compiled: CompiledPolicy) -> list[CompiledFillIn]:
        return [entry for entry in compiled.fill_ins if entry.index not in self._left]

    def _spec(self, head: JSONObject, patches: Sequence[Patch]) -> JSONObject:
        compiled = self._compiled[0][1]
        used = {name for entry in self._kept(compiled) for name in compiled.names_of(entry.expression)}
        variables = [(one.name, one.expression) for one in self._policy.variables if f"{_PREFIX}{one.name}" in used]
        variables += dict.fromkeys(pair for one in patches for pair in one.variables)
        return {
            **head,
            "reinvocationPolicy": "IfNeeded",
            **({"variables": [{"name": name, "expression": text.strip()} for name, text in variables]} if variables else {}),
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": one.expression}} for one in patches],
        }

    def _patches(self, definition: ResourceDefinition, compiled: CompiledPolicy) -> list[Patch]:
        names = self._names()
        recording = self._recording(names)
        return [self._patch(entry, definition, names, recording) for entry in self._kept(compiled)]

    def _names(self) -> FreeNames:
        return FreeNames({one.name for one in self._policy.variables})

    def _recording(self, names: FreeNames) -> Recording | None:
        annotations = self._config.annotations
        source = self._policy.id if self._is_own else "configuration"
        return Recording(source, annotations.max_bytes, names.free("recorded")) if annotations.objects else None

    def _patch(self, entry: CompiledFillIn, definition: ResourceDefinition, names: FreeNames, recording: Recording | None) -> Patch:
        try:
            return patch(entry, self._policy.fill_ins[entry.index].expression, definition, names, recording)
        except Untranslatable as why:
            raise Untranslatable(f"fillIns[{entry.index}] {why}") from None


def _placed(compiled: CompiledPolicy, entry: CompiledFillIn | None) -> Iterator[Placed]:
    """The expression of a fill-in and the variables that it names; without one the conditions."""
    if entry is None:
        yield from ((("matchConditions", index), condition) for index, (_, condition) in enumerate(compiled.conditions))
        return
    used = compiled.names_of(entry.expression)
    yield from (((name,), variable) for name, variable in compiled.variables.items() if name in used)
    yield ("fillIns", entry.index, "expression"), entry.expression


def _version() -> str:
    return "v1" if release().serves_mutating_policies else "v1beta1"


def _changes() -> JSONObject:
    """The condition that an update of metadata alone fills in nothing, unless something was filled in before."""
    records = " || ".join(f"{literal(str(RECORD[-1]))} in {one}.metadata.?annotations.orValue({{}})" for one in (OBJECT, OLD))
    changed = f"{OLD} == null || {OBJECT}.?spec.orValue(null) != {OLD}.?spec.orValue(null)"
    return {"name": "weighbridge-changes", "expression": f"{changed}\n|| (!has({OLD}.metadata.deletionTimestamp) && ({records}))"}
