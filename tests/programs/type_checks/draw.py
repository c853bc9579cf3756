"""Draws ValidatingAdmissionPolicies whose expressions walk through the types of their kinds, and now and then use fields that these don't
have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from tests.cel.random_expressions import random_expression
from tests.programs.type_checks.world import GROUP
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.escapes import escape
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject

API: Final = "admissionregistration.k8s.io/v1"
_OTHERS: Final = ("x", "specs", "limits", "name", "in", "namespace", "for", "dash-ed", "__dash__", "_a", "size")
_VALUES: Final = (
    '"x"', "5", "5u", "1.5", "true", "null", "[]", "{}", '["a"]', '{"a": 1}', 'b"x"', 'timestamp("2024-01-01T00:00:00Z")', 'duration("1h")',
    'quantity("1Gi")', "object", "oldObject", "params", "request", "namespaceObject", "dyn(1)", "optional.none()", "object.metadata.name",
    "request.userInfo.groups", "variables.a", "variables.b", "type(1)", "authorizer",
)  # fmt: skip
_MACROS: Final = ("all", "exists", "map", "filter")
_OPERATORS: Final = ("==", "!=", "<", ">=", "+", "-", "*", "/", "%", "&&", "||", "in")
_OWN: Final = (
    'authorizer.requestResource.check("get").allowed()', 'authorizer.group("").resource("pods").check("get").allowed()', "request.dryRun",
    'request.kind.kind == "Pod"', "request.operatio == 'X'", 'namespaceObject.metadata.labels["x"] == "y"', "namespaceObject.spec.x == 1",
    "namespaceObject.metadata.creationTimestamp == request.name", "request.userInfo.extra.x[0] == 1", "request.options.x.y == 5",
    "params.size == 1", "params.spec.size == 'x'", "params.data.hosts.split(',')", "params == null", "object == params", "undeclared.x",
    "object == oldObject", "object.spec == oldObject.spec", "object.spec == oldObject.metadata", "has(object.spec)", "variables.c",
    "variables.a == 1", "variables.b.x", "variables == object", "object != null ? object : oldObject", "[object, oldObject]",
    "dyn(object).x.y", "[object.metadata, 1]", '{"a": object, "b": 5}', "object.metadata.labels.x + 1",
    "object.metadata.managedFields[0].time",
    "object.metadata.ownerReferences.exists(o, o.kind == 5)", "cel.bind(x, 1, x)", "timestamp", "Deployment{}", "Widget{spec: 1}",
    '"x".matches("(")', "kubernetes.variables", "object.metadata.annotations.all(k, k.size() > object.metadata.name)", "string",
    "object.kind.x",
)  # fmt: skip
#: The forms that turn any expression into a condition or a text.
_FORMS: Final = {"expression": "[{}] != []", "messageExpression": '"" + dyn([{}])'}


class Draw:
    """Draws policies about kinds with their types."""

    def __init__(self, seed: int, kinds: Sequence[tuple[GroupVersionKind, str, DeclaredType]]) -> None:
        self._dice = Random(seed)
        self._kinds = kinds

    def policy(self, name: str, *, is_stored: bool = False) -> JSONObject:
        """A policy; with `is_stored` its validations have the types that a server requires to store them."""
        dice = self._dice
        chosen = dice.sample(self._kinds, dice.choice((1, 1, 1, 1, 2, 3, 12)))
        types = [declared for _, _, declared in chosen]
        spec: JSONObject = {"matchConstraints": {"resourceRules": list(self._rules(chosen))}}
        if dice.random() < 0.4:
            spec["paramKind"] = self._param_kind()
        if dice.random() < 0.5:
            spec["variables"] = [{"name": name, "expression": self.expression(types)} for name in ("a", "b", "c")[: dice.randint(1, 3)]]
        spec["validations"] = [self._validation(types, chosen) for _ in range(dice.randint(1, 4))]
        if is_stored:
            spec["validations"] = [{key: _FORMS[key].format(text) for key, text in written.items()} for written in spec["validations"]]
        return {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}

    def _validation(self, types: Sequence[DeclaredType], chosen: Sequence[tuple[GroupVersionKind, str, DeclaredType]]) -> JSONObject:
        if any(gvk == GroupVersionKind(GROUP, "v1", "Rule") for gvk, _, _ in chosen) and self._dice.random() < 0.9:
            return {"expression": random_expression(self._dice, 2).replace("self", "object.spec")}
        found = {"expression": self.expression(types)}
        if self._dice.random() < 0.2:
            found["messageExpression"] = self.expression(types)
        return found

    def _rules(self, chosen: Sequence[tuple[GroupVersionKind, str, DeclaredType]]) -> Iterator[JSONObject]:
        dice = self._dice
        if len(chosen) > 3 or dice.random() < 0.2:
            groups, versions, names = (
                {gvk.group for gvk, _, _ in chosen},
                {gvk.version for gvk, _, _ in chosen},
                [n for _, n, _ in chosen],
            )
            yield self._rule(sorted(groups), sorted(versions), names)
            return
        for gvk, plural, _ in chosen:
            names = [dice.choice((plural, plural, plural, plural, gvk.kind.lower(), plural.upper(), f"{plural}/status"))]
            group = dice.choice((gvk.group, gvk.group, gvk.group, gvk.group, "", "*"))
            yield self._rule([group], dice.choice(([gvk.version], [gvk.version, "v9"], [gvk.version], ["*"])), names)

    def _rule(self, groups: list[str], versions: list[str], resources: list[str]) -> JSONObject:
        extra = self._dice.choice(([], [], [], ["nothings"], ["*"], ["pods/exec"]))
        return {"apiGroups": groups, "apiVersions": versions, "operations": ["*"], "resources": [*resources, *extra]}

    def _param_kind(self) -> JSONObject:
        if self._dice.random() < 0.2:
            return {"apiVersion": self._dice.choice(("none.test/v1", "v1")), "kind": "Nothing"}
        gvk, _, _ = self._dice.choice(self._kinds)
        return {"apiVersion": gvk.api_version, "kind": gvk.kind}

    def expression(self, types: Sequence[DeclaredType]) -> str:
        """An expression over objects of these types."""
        dice = self._dice
        forms: Sequence[Callable[[], str]] = (
            lambda: dice.choice(_OWN),
            lambda: f"{self._path(types)} {dice.choice(_OPERATORS)} {dice.choice(_VALUES)}",
            lambda: f"{self._path(types)} {dice.choice(_OPERATORS)} {self._path(types)}",
            lambda: f"has({self._path(types)})",
            lambda: f"{self._path(types)}.{dice.choice(_MACROS)}(e, e{dice.choice(('.name', '.x', ' == 1', ''))} != null)",
            lambda: f"size({self._path(types)}) > {dice.choice(_VALUES)}",
            lambda: f"{dice.choice(('string', 'int', 'timestamp', 'bytes', 'quantity', 'dyn', 'type'))}({self._path(types)})",
            lambda: f"{self._path(types)}.{dice.choice(('startsWith', 'matches', 'contains', 'find', 'foo'))}({dice.choice(_VALUES)})",
            lambda: f"({self.expression(types)}) && ({self.expression(types)})",
            lambda: f"{self._path(types)}.orValue({dice.choice(_VALUES)}) == {dice.choice(_VALUES)}",
            lambda: f"\n  {self._path(types)} ?\t{dice.choice(_VALUES)} :\n{self._path(types)}",
            lambda: f"[{self._path(types)}, {dice.choice(_VALUES)}]",
        )
        return dice.choice(forms)()

    def _path(self, types: Sequence[DeclaredType]) -> str:
        dice, text = self._dice, self._dice.choice(("object", "object", "object", "oldObject"))
        declared: DeclaredType | None = dice.choice(types)
        for _ in range(dice.randint(0, 7)):
            if declared is None or dice.random() < 0.06:
                return f"{text}{dice.choice(('.', '.', '.?'))}{dice.choice(_OTHERS)}".replace("dash-ed", "dash__dash__ed")
            if declared.shape is Shape.OBJECT and declared.properties:
                name = dice.choice(list(declared.properties))
                declared = declared.properties[name]
                written = escape(name) if dice.random() < 0.9 else name
                text += f"{dice.choice(('.', '.', '.', '.', '.?'))}{written}" if written and written.isidentifier() else f'["{name}"]'
            elif declared.shape in (Shape.LIST, Shape.MAP):
                key = "0" if declared.shape is Shape.LIST else '"k"'
                text += dice.choice((f"[{key}]", f"[{key}]", f"[?{key}]", ".k" if declared.shape is Shape.MAP else f"[{key}]"))
                declared = declared.element
            else:
                break
        return text
