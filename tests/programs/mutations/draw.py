"""Draws set-ups: mutating policies with their bindings and parameters, and the objects that are sent to them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject

GROUP: Final = "mutations.test"
_API: Final = "admissionregistration.k8s.io/v1"
_NAMES: Final = ("a", "b", "c")
_TEXTS: Final = ("x", "red", "", "forbidden", "a/b~c", 'quote"d', "<é>")
_WRONG: Final = ("5", "1.5", "true", '"text"', "null", "[1]", '["a"]', '{"a": "b"}', "5u", 'b"ab"', 'timestamp("2026-01-02T03:04:05Z")',
                 'duration("90s")', "object.spec", "object.metadata.labels", "[[1]]", '[{"name": "a"}]', "{1: 2}", "dyn(1.0)")  # fmt: skip


@dataclass(slots=True)
class Setup:
    """Policies with their bindings, which are about objects with the label ``setup`` of this name; and objects to send."""

    name: str
    policies: list[JSONObject] = field(default_factory=list)
    bindings: list[JSONObject] = field(default_factory=list)
    others: list[JSONObject] = field(default_factory=list)
    requests: list[Sent] = field(default_factory=list)


@dataclass(slots=True)
class Sent:
    """A request: a creation, or with `stored` an update of that object, or of a subresource of it."""

    body: JSONObject
    stored: JSONObject | None = None
    subresource: str = ""
    version: str = "v1"
    #: Whether an update names the version of the object that it is for, without which there is none.
    is_versioned: bool = True


class Draw:
    """Draws from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def pick(self, options: Sequence[Any]) -> Any:
        return self._random.choice(options)

    def chance(self, percent: float) -> bool:
        return self._random.random() * 100 < percent

    def some(self, options: Sequence[Any], least: int, most: int) -> list[Any]:
        count = self._random.randint(least, min(most, len(options)))
        return self._random.sample(list(options), count)

    # --- set-ups ---

    def setup(self, number: int) -> Setup:
        found = Setup(f"m{number}")
        for index in range(1 if self.chance(75) else 2):
            name = f"{found.name}-{index}"
            found.policies.append(self._policy(name, found.name))
            for turn in range(1 if self.chance(88) else 2):
                found.bindings.append(self._binding(f"{name}-b{turn}", name, found.policies[-1]))
        if any("paramKind" in policy["spec"] for policy in found.policies):
            found.others.append(self._settings(f"{found.name}-settings", found.name))
            if self.chance(30):
                found.others.append(self._settings(f"{found.name}-more", found.name))
        for index in range(self._random.randint(6, 10)):
            found.requests.append(self._sent(found.name, index))
        return found

    def _policy(self, name: str, setup: str) -> JSONObject:
        has_params = self.chance(18)
        variables = self._variables(has_params=has_params)
        spec: JSONObject = {
            "failurePolicy": "Fail" if self.chance(80) else "Ignore",
            "reinvocationPolicy": "IfNeeded" if self.chance(40) else "Never",
            "matchConstraints": self._constraints(setup),
            "mutations": [self._mutation(variables, has_params=has_params) for _ in range(self.pick([1, 1, 1, 2, 2, 3]))],
        }
        if has_params:
            spec["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}
        if variables:
            spec["variables"] = [{"name": each, "expression": text} for each, text in variables.items()]
        if self.chance(20):
            conditions = ("object.spec.size > 0", "!has(object.spec.title)", "request.operation != 'CREATE'", "object.spec.ratio > 0.5",
                          "oldObject == null || has(oldObject.spec)", "object.metadata.name.startsWith('m')", "'red' in object.spec.tags")  # fmt: skip
            chosen = self.some(conditions, 1, 2)
            spec["matchConditions"] = [{"name": f"c{at}", "expression": text} for at, text in enumerate(chosen)]
        return {"apiVersion": _API, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}

    def _constraints(self, setup: str) -> JSONObject:
        resources = ["widgets", "widgets/*"] if self.chance(30) else ["widgets"]
        rule: JSONObject = {"apiGroups": [GROUP], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": resources}
        if self.chance(15):
            rule["apiVersions"] = self.pick([["*"], ["v1beta1"], ["v1", "v1beta1"]])
        if self.chance(10):
            rule["operations"] = [self.pick(["CREATE", "UPDATE"])]
        found: JSONObject = {"resourceRules": [rule], "objectSelector": {"matchLabels": {"setup": setup}}}
        if self.chance(10):
            found["matchPolicy"] = "Exact"
        return found

    def _binding(self, name: str, policy: str, obj: JSONObject) -> JSONObject:
        spec: JSONObject = {"policyName": policy}
        if "paramKind" in obj["spec"] and self.chance(92):
            setup = policy.split("-", maxsplit=1)[0]
            reference: JSONObject = {"parameterNotFoundAction": self.pick(["Allow", "Deny"])}
            if self.chance(75):
                reference["name"] = f"{setup}-settings" if self.chance(85) else "absent"
            else:
                reference["selector"] = {"matchLabels": {"settings": setup}}
            spec["paramRef"] = reference
        if self.chance(8):
            spec["matchResources"] = {"objectSelector": {"matchLabels": {"extra": "yes"}}}
        return {"apiVersion": _API, "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": spec}

    def _settings(self, name: str, setup: str) -> JSONObject:
        data = {"colour": self.pick(_TEXTS), "size": self.pick(["3", "12", "many"])}
        metadata = {"name": name, "namespace": "default", "labels": {"settings": setup}}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}

    def _variables(self, *, has_params: bool) -> dict[str, str]:
        if not self.chance(30):
            return {}
        options = {
            "size": "object.spec.size + 1",
            "names": "object.spec.parts.map(p, p.name)",
            "title": "object.spec.?title.orValue('none')",
            "bad": "object.spec.nothing",
            "labels": '{"a": object.metadata.name}',
            "heavy": "variables.size * 2",
        }
        if has_params:
            options["colour"] = "params.data.colour"
        chosen = set(self.some(list(options), 1, 3))
        if "heavy" in chosen:
            chosen.add("size")
        return {name: text for name, text in options.items() if name in chosen}

    # --- mutations ---

    def _mutation(self, variables: dict[str, str], *, has_params: bool) -> JSONObject:
        self._texts = [f"variables.{name}" for name in variables if name in ("title", "colour")] + (
            ["params.data.colour"] if has_params else []
        )
        self._numbers = [f"variables.{name}" for name in variables if name in ("size", "heavy")] + (
            ["int(params.data.size)"] if has_params else []
        )
        if self.chance(55):
            return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": self._configuration(variables)}}
        return {"patchType": "JSONPatch", "jsonPatch": {"expression": self._patch(variables)}}

    def _configuration(self, variables: dict[str, str]) -> str:
        parts = []
        if self.chance(90):
            parts.append(f"spec: {self._spec()}")
        if self.chance(25) or not parts:
            parts.append(f"metadata: {self._metadata()}")
        if self.chance(4):
            parts.append(self.pick(['kind: "Other"', 'apiVersion: "v2"', "status: Object.status{size: 3}", "other: 1"]))
        found = f"Object{{{', '.join(parts)}}}"
        if "bad" in variables and self.chance(40):
            found = f"variables.bad == 1 ? {found} : Object{{}}"
        if self.chance(5):
            found = f"has(object.spec.title) ? {found} : null"
        if self.chance(3):
            found = "Object{spec: object.spec}"
        return found

    def _metadata(self) -> str:
        options = (
            'labels: Object.metadata.labels{colour: "red"}', f"labels: {{{json.dumps(self.pick(_TEXTS[:5]))}: \"v\"}}",
            'annotations: {"a": string(object.spec.size)}', 'finalizers: ["x.test/y"]', 'name: "renamed"', 'namespace: "other"',
            'ownerReferences: [Object.metadata.ownerReferences{uid: "1", name: "o", kind: "K", apiVersion: "v1"}]', 'labels: Object.labels{a: "b"}',
            'generation: 7', 'resourceVersion: "1"', 'other: "o"', 'labels: {"a": 1}', 'labels: object.metadata.labels',
        )  # fmt: skip
        return f"Object.metadata{{{', '.join(dict.fromkeys(text for text in self._distinct(self.some(options, 1, 2))))}}}"

    def _distinct(self, texts: Sequence[str]) -> list[str]:
        """At most one entry a field."""
        return list({text.split(":")[0]: text for text in texts}.values())

    def _spec(self) -> str:
        writers: dict[str, Callable[[], str]] = {
            "title": self._text, "size": self._number, "ratio": lambda: self.pick(["0.5", "2.0", "1", "1e30"]),
            "enabled": lambda: self.pick(["true", "false", "!has(object.spec.enabled)"]), "until": lambda: '"2026-01-02T03:04:05Z"',
            "data": lambda: self.pick(['"YWI="', '"not base64"']), "mode": lambda: self.pick(['"slow"', '"other"']),
            "maybe": self._text, "share": lambda: self.pick(["5", '"50%"']), "tags": lambda: self._list(self._text),
            "numbers": lambda: self._list(self._number), "notes": lambda: self._list(self._text), "matrix": lambda: self.pick(["[[1]]", "[]"]),
            "parts": lambda: self._items("Object.spec.parts", self._part), "ports": lambda: self._items("Object.spec.ports", self._port),
            "labels": lambda: self._map(self._text), "limits": lambda: self.pick(['{"cpu": 2}', '{"cpu": "2"}', "Object.spec.limits{memory: 3}"]),
            "nested": self._nested, "frozen": lambda: 'Object.spec.frozen{a: "x"}', "frozenLabels": lambda: '{"a": "b"}',
            "anything": lambda: self.pick(['Object.spec.anything{a: 1, b: Object.spec.anything.b{c: "d"}}', "[1, 2]", '"text"', '{"k": "v"}']),
            "open": lambda: self.pick(['Object.spec.open{known: "k", more: 1}', 'Object.spec.open{known: 1}', "Object.spec.open{more: [1]}"]),
            "empty": lambda: self.pick(["Object.spec.empty{}", 'Object.spec.empty{a: "b"}']),
            "template": lambda: self.pick([
                'Object.spec.template{metadata: Object.spec.template.metadata{labels: {"a": "b"}}}', "Object.spec.template{spec: Object.spec.template.spec{x: 1}}",
            ]),
            "colour": self._text,
        }  # fmt: skip
        names = [name for name in writers if name != "colour" or self.chance(20)]
        rare = {"matrix", "frozen", "frozenLabels", "notes"}
        chosen = [name for name in self.some(names, 1, 3) if name not in rare or self.chance(35)] or ["title"]
        return f"Object.spec{{{', '.join(self._entry(name, writers[name]) for name in chosen)}}}"

    def _entry(self, name: str, write: Callable[[], str]) -> str:
        if self.chance(7):
            return f"{name}: {self.pick(_WRONG)}"
        if self.chance(7):
            return f"?{name}: {self.pick([f'object.?spec.{name}', 'optional.none()', f'optional.of({write()})'])}"
        if self.chance(4):
            return f"{name}: object.spec.{name}"
        return f"{name}: {write()}"

    def _text(self) -> str:
        if self._texts and self.chance(40):
            return str(self.pick(self._texts))
        return str(self.pick([*map(json.dumps, _TEXTS), '"n-" + object.metadata.name', "string(object.spec.size)", "request.namespace"]))

    def _number(self) -> str:
        if self._numbers and self.chance(40):
            return str(self.pick(self._numbers))
        return str(self.pick(["0", "5", "-4", "object.spec.size + 1", "size(object.spec.parts)", "9007199254740993", "2000"]))

    def _list(self, write: Callable[[], str]) -> str:
        written = [write() for _ in range(self.pick([0, 1, 1, 2, 3]))]
        return f"[{', '.join(written)}]"

    def _map(self, write: Callable[[], str]) -> str:
        return self.pick(["{}", f'{{"a": {write()}}}', f"Object.spec.labels{{b: {write()}}}", f'{{"x/y": {write()}, "z": {write()}}}'])  # type: ignore[no-any-return]

    def _items(self, _type: str, write: Callable[[], str]) -> str:
        if self.chance(6):
            return self.pick(
                ['[{"name": "a"}]', "object.spec.parts", "object.spec.parts.map(p, Object.spec.parts{name: p.name, count: 9})"]
            )  # type: ignore[no-any-return]
        return f"[{', '.join(write() for _ in range(self.pick([1, 1, 2, 2, 3])))}]"

    def _part(self) -> str:
        entries = [f'name: "{self.pick([*_NAMES, "d", "e"])}"'] if self.chance(95) else []
        more = (
            'image: "img"', "count: 4", 'env: [Object.spec.parts.env{name: "E", value: "1"}]', 'args: ["-v"]', 'image: 5', 'colour: "x"',
            'env: [Object.spec.parts.env{name: "F"}, Object.spec.parts.env{name: "E"}]', 'env: [Object.spec.env{name: "E"}]',
        )  # fmt: skip
        entries += [text for text in self._distinct(self.some(more, 0, 2)) if "args" not in text or self.chance(30)]
        return f"Object.spec.parts{{{', '.join(entries)}}}"

    def _port(self) -> str:
        entries = [f"port: {self.pick([80, 81, 443])}"] if self.chance(93) else []
        entries += self._distinct(self.some(('protocol: "UDP"', 'alias: "web"', 'protocol: "TCP"', "alias: 1"), 0, 2))
        return f"Object.spec.ports{{{', '.join(entries)}}}"

    def _nested(self) -> str:
        deep = self.pick(['a: "x"', "b: 3", 'a: "x", b: 3', "b: true", 'd: "unknown"', ""])
        entries = [f"deep: Object.spec.nested.deep{{{deep}}}"] if self.chance(80) else []
        if self.chance(40):
            entries.append('env: [Object.spec.nested.env{name: "N", value: "2"}]')
        return f"Object.spec.nested{{{', '.join(entries)}}}"

    # --- patches ---

    def _patch(self, variables: dict[str, str]) -> str:
        operations = [self._operation() for _ in range(self.pick([1, 1, 1, 2, 2, 3]))]
        found = f"[{', '.join(operations)}]"
        if self.chance(8):
            found = f"has(object.spec.title) ? {found} : []"
        if self.chance(6):
            found = (
                f'{found} + object.spec.?parts.orValue([]).map(p, JSONPatch{{op: "add", path: "/metadata/labels/" + p.name, value: "x"}})'
            )
        if "bad" in variables and self.chance(40):
            found = f"variables.bad == 1 ? {found} : {found}"
        return found

    def _operation(self) -> str:
        op = self.pick(
            ["add", "add", "add", "replace", "replace", "remove", "test", "copy", "move", "merge"]
            if self.chance(40)
            else ["add", "replace"]
        )
        entries = [f'op: "{op}"', f"path: {self._path()}"]
        if op in ("copy", "move") and self.chance(92):
            entries.append(f"from: {self._path()}")
        if (op not in ("copy", "move", "remove") and self.chance(96)) or op == "test":
            entries.append(f"value: {self._value()}")
        return f"JSONPatch{{{', '.join(entries)}}}"

    def _path(self) -> str:
        usual = ("/spec/title", "/spec/size", "/spec/tags/-", "/spec/tags/0", "/metadata/labels/colour", "/metadata/annotations", "/spec/parts/0/image",
                 "/spec/parts/-", "/spec/labels/a", "/spec/labels", "/spec/nested", "/spec/notes", "/spec/enabled", "/spec/anything", "/spec/nested/deep/b")  # fmt: skip
        odd = ("/spec/tags/9", "/spec/tags/-1", "/spec/tags/x", "/spec/colour", "/spec/none/a", "spec/title", "", "/", "/spec/parts/0/name", "/status/size",
               "/metadata/name", "/metadata/namespace", "/spec", "/kind", "/apiVersion", "/spec/size/a", "/metadata/labels", "/metadata/generation",
               "/metadata", "/spec/ports/1/alias", "/spec/template/metadata/labels/x", "/spec/maybe", "/spec/title\\n", "/spec/tags/01", "/spec/tags/+0")  # fmt: skip
        if self.chance(8):
            return f'"/metadata/labels/" + jsonpatch.escapeKey({json.dumps(self.pick(["a/b", "c~d", "e"]))})'
        return json.dumps(self.pick(odd if self.chance(25) else usual)).replace("\\\\n", "\\n")

    def _value(self) -> str:
        return str(self.pick([
            self._text(), self._text(), self._number(), "true", "null", "1.5", "2.0", '["a", "b"]', '{"a": "b"}', "[]", "{}", 'Object.spec.parts{name: "z"}',
            'Object.spec.nested{deep: Object.spec.nested.deep{a: "x"}}', 'Object.spec.parts{name: "z", env: [Object.spec.parts.env{name: "E"}]}',
            "object.spec.tags", "object.spec.parts", "object.metadata.labels", 'timestamp("2026-01-02T03:04:05.5Z")', 'duration("90.5s")', "5u",
            "9007199254740993", "b\"ab\"", "object.spec.size * 2", 'object.spec.?title.orValue("none")', "object.spec.parts.map(p, p.name)",
            '[{"name": "q"}]', "-0.0", "1e21", 'Object.spec.nested{deep: Object.wrong{}}',
        ]))  # fmt: skip

    # --- objects ---

    def _sent(self, setup: str, index: int) -> Sent:
        body = self._widget(setup, f"{setup}-{index}")
        if self.chance(8):
            body["apiVersion"] = f"{GROUP}/v1beta1"
            return Sent(body, version="v1beta1")
        if self.chance(6):
            name = body["metadata"].pop("name")
            body["metadata"]["generateName"] = f"{name}-"
            return Sent(body)
        if not self.chance(30):
            return Sent(body)
        stored = self._widget("", body["metadata"]["name"])
        stored["spec"].pop("wrong", None)
        return Sent(body, stored, self.pick(["", "", "", "status", "scale"]) if self.chance(40) else "", is_versioned=self.chance(93))

    def _widget(self, setup: str, name: str) -> JSONObject:
        labels: JSONObject = {"setup": setup} if setup else {}
        if self.chance(25):
            labels["extra"] = "yes"
        metadata: JSONObject = {"name": name, "namespace": "default", "labels": labels}
        if self.chance(15):
            metadata["annotations"] = {"note": "kept"}
        if self.chance(10):
            metadata["finalizers"] = ["x.test/y"]
        options: JSONObject = {
            "title": self.pick(["old", "", "none"]), "size": self.pick([0, 2, 5]), "ratio": self.pick([0.25, 1]), "enabled": self.chance(50),
            "tags": self.some(["red", "x", "blue"], 0, 3), "numbers": self.some([0, 5, 9], 0, 2), "notes": ["n"], "matrix": [[1, 2], [3]],
            "parts": [self._stored_part(each) for each in self.some(_NAMES, 1, 3)], "labels": {"a": "1", "q": "2"}, "limits": {"cpu": 1},
            "ports": [{"port": 80}, {"port": 443, "protocol": "UDP", "alias": "s"}], "nested": {"deep": {"a": "old"}, "env": [{"name": "N"}]},
            "frozen": {"a": "1", "b": "2"}, "anything": self.pick([{"a": 2, "list": [1]}, [1], "text"]), "open": {"known": "k", "other": 1},
            "share": self.pick([1, "1%"]), "maybe": self.pick([None, "m"]), "mode": "slow", "until": "2025-01-01T00:00:00Z",
            "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"x": "y"}}, "spec": {"y": 1}},
        }  # fmt: skip
        names = self.some(list(options), 2, 9)
        spec = {key: options[key] for key in names}
        if self.chance(3):
            spec[self.pick(["title", "size", "tags", "parts"])] = self.pick([5, "text", {"a": 1}, [None], [{"image": "unnamed"}]])
        return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": metadata, "spec": spec}

    def _stored_part(self, name: str) -> JSONObject:
        found: JSONObject = {"name": name}
        if self.chance(50):
            found["image"] = f"image-{name}"
        if self.chance(30):
            found["env"] = [{"name": "E", "value": "0"}, {"name": "G"}]
        return found
