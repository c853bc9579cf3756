"""The schema nodes that have rules or lead to some, and the code that walks an object along them.

Below a node that CEL can't read no rules are evaluated, and a rule on such a node is an error. Rules inside ``allOf`` belong to the node of
the ``allOf``. The walk is generated: one function per node, which visits only what leads to a rule. Source: k8s.io/apiextensions-apiserver
`pkg/apiserver/schema/cel/validation.go` (`validator`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.direct_rule import DirectRule, KeptRules, direct_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.escapes import escape
from weighbridge.policies.codegen import SourceWriter
from weighbridge.policies.codegen.writer import Origin
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.node import Schema


def leads_to_rules(schema: Schema, *, branches: bool = True) -> bool:
    """Whether there is a rule on this node, below it, or (with `branches`) in an ``allOf`` of these.

    Only the JSON is read: a schema of a megabyte has thousands of nodes, of which an evaluation uses a few.
    """
    waiting: list[JSONValue] = [schema.raw]
    while waiting:
        raw = waiting.pop()
        if raw.get("x-kubernetes-validations"):
            return True
        found = raw.get("properties")
        if found:
            waiting += found.values()
        waiting += [inner for inner in (raw.get("items"), raw.get("additionalProperties")) if inner.__class__ is dict]
        if branches:
            waiting += raw.get("allOf") or ()
    return False


class RuleNode:
    """A schema node with its rules, which come from `rules_from`: the node itself, or a branch of its ``allOf``."""

    def __init__(self, schema: Schema, rules_from: Schema, declared: DeclaredType | None, name: str, kept: KeptRules | None = None) -> None:
        """`kept` has the units that other runs have compiled."""
        self.kept = kept
        self.schema = schema
        self.declared = declared
        self.name = name
        self._rules_from = rules_from

    @cached_property
    def rules(self) -> list[CompiledRule]:
        """The rules of this node, each compiled when it is needed."""
        if self.declared is None:
            return []
        numbered = enumerate(self._rules_from.validations)
        return [CompiledRule(rule, self.declared, f"{self.name} rule {index}") for index, rule in numbered]

    @cached_property
    def direct_rules(self) -> list[DirectRule]:
        """The rules of this node that aren't empty, ready to run."""
        place = None if self.kept is None else self.kept.units.path(self._rules_from)
        numbered = enumerate(self.rules)
        return [direct_rule(rule, i, place, self.kept) for i, rule in numbered if not rule.is_empty]

    @property
    def is_unreadable(self) -> bool:
        """Whether the node has rules but CEL can't read it."""
        return bool(self._rules_from.validations) and self.declared is None

    @property
    def has_rules(self) -> bool:
        """Whether the node has rules."""
        return bool(self._rules_from.validations)

    @cached_property
    def branches(self) -> list[RuleNode]:
        """The branches of ``allOf`` that lead to rules."""
        found = enumerate(self._rules_from.all_of)
        return [
            RuleNode(self.schema, branch, self.declared, f"{self.name}.allOf[{i}]", self.kept)
            for i, branch in found
            if leads_to_rules(branch)
        ]

    @cached_property
    def properties(self) -> dict[str, RuleNode]:
        """The properties that lead to rules and that rules can see."""
        found = {}
        for name, source in self._rules_from.properties.items():
            schema = self.schema.properties.get(name)
            if schema is None or not leads_to_rules(source):
                continue
            visible, declared = self._property_type(name, schema)
            if visible:
                found[name] = RuleNode(schema, source, declared, f"{self.name}.{name}", self.kept)
        return found

    def _property_type(self, name: str, schema: Schema) -> tuple[bool, DeclaredType | None]:
        identifier = escape(name)
        if identifier is None:
            declared = DeclaredType(schema)
            return declared.exposed, declared
        if self.declared is None or identifier not in self.declared.fields:
            return False, None
        return True, self.declared.properties[name]

    @cached_property
    def values(self) -> RuleNode | None:
        """The values of a map, if they lead to rules."""
        return self._inner(self.schema.additional_properties, self._rules_from.additional_properties, "[*]")

    @cached_property
    def items(self) -> RuleNode | None:
        """The items of a list, if they lead to rules."""
        return self._inner(self.schema.items, self._rules_from.items, "[]")

    def _inner(self, schema: Schema | None, source: Schema | None, step: str) -> RuleNode | None:
        if schema is None or source is None or not leads_to_rules(source):
            return None
        declared = None if self.declared is None else self.declared.element
        return RuleNode(schema, source, declared, f"{self.name}{step}", self.kept)

    @property
    def origin(self) -> Origin | None:
        """The origin of the node, as a kept unit has it; `None` if it has none."""
        if self.kept is None:
            return None
        nodes = (self.schema, self._rules_from, *(() if self.declared is None else (self.declared.schema,)))
        paths = tuple(map(self.kept.units.path, nodes))
        return None if None in paths else (_RULES, paths, self.name)


_RULES: Final = "rules"


@dataclass(frozen=True, slots=True)
class WalkResolver:
    """Finds the constants of the walk again, so that its unit can be kept."""

    kept: KeptRules

    def origin_of(self, value: object) -> Origin | None:
        """The origin of a node with rules or a node of the schema, as a kept unit has it."""
        return value.origin if isinstance(value, RuleNode) else self.kept.origin_of(value)

    def restore(self, origin: Origin) -> object:
        """The constant that an origin names; raises what `node_at` raises."""
        if origin[0] != _RULES:
            return self.kept.restore(origin)
        _, (schema, rules_from, *declared), name = origin
        node = self.kept.units.node
        return RuleNode(node(schema), node(rules_from), self.kept.declared(*declared) if declared else None, name, self.kept)


#: How a step of a trail is printed and correlated.
FIELD, KEY, INDEX, BRANCH = range(4)


def write_walk(root: RuleNode, writer: SourceWriter) -> None:
    """Write ``walk(visit, value, old, trail)``, which calls `visit(node, value, old, trail)` for every node with rules.

    A trail is ``(parent trail, step, kind)``; that of the root is None. `visit` can raise to stop the walk.
    """
    waiting = [(root, "walk")]
    while waiting:
        node, name = waiting.pop(0)
        with writer.block(f"def {name}(visit, value, old, trail):", node.name):
            if node.has_rules:
                writer.line(f"visit({writer.constant(node)}, value, old, trail)")
            for branch in node.branches:
                inner = _enqueue(branch, waiting, writer)
                writer.line(f"{inner}(visit, value, old, (trail, None, {BRANCH}))", branch.name)
            _write_map(node, waiting, writer)
            _write_items(node, waiting, writer)
        writer.line("")
        writer.line("")


def _enqueue(node: RuleNode, waiting: list[tuple[RuleNode, str]], writer: SourceWriter) -> str:
    name = writer.fresh("walk")
    waiting.append((node, name))
    return name


def _write_map(node: RuleNode, waiting: list[tuple[RuleNode, str]], writer: SourceWriter) -> None:
    if not node.properties and node.values is None:
        return
    with writer.block("if value.__class__ is dict:"):
        writer.line("old_map = old if old.__class__ is dict else {}")
        for name, inner in node.properties.items():
            function = _enqueue(inner, waiting, writer)
            key = writer.literal(name)
            writer.line(f"inner = value.get({key})", inner.name)
            with writer.block("if inner is not None:"):
                writer.line(f"{function}(visit, inner, old_map.get({key}), (trail, {key}, {FIELD}))")
        if node.values is not None:
            function = _enqueue(node.values, waiting, writer)
            with writer.block("for key, inner in value.items():", node.values.name), writer.block("if inner is not None:"):
                writer.line(f"{function}(visit, inner, old_map.get(key), (trail, key, {KEY}))")


def _write_items(node: RuleNode, waiting: list[tuple[RuleNode, str]], writer: SourceWriter) -> None:
    if node.items is None:
        return
    function = _enqueue(node.items, waiting, writer)
    with writer.block("if value.__class__ is list:", node.items.name):
        if node.schema.list_type == "map":
            writer.line(f"find_old = OldItems({writer.constant(node.schema)}, old if old.__class__ is list else []).find")
        with writer.block("for index, inner in enumerate(value):"), writer.block("if inner is not None:"):
            old = "find_old(inner)" if node.schema.list_type == "map" else "None"
            writer.line(f"{function}(visit, inner, {old}, (trail, index, {INDEX}))")
