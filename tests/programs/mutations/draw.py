"""Draws set-ups: mutating policies with their bindings and parameters, and the objects that are sent to them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from weighbridge.policies.ground.objects import FieldValidation, JSONObject

GROUP: Final = "mutations.test"
PIECES: Final[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("pieces.yaml").read_text(encoding="utf-8"))
_API: Final = "admissionregistration.k8s.io/v1"
_DRAWN: Final = re.compile(r"\$(text|number|part|port|deep)\b")


@dataclass(slots=True)
class Sent:
    """A request: a creation, or with `stored` an update of that object, or of a subresource of it.

    `is_versioned` says that an update names the version of the object that it is for, without which there is none.
    """

    body: JSONObject
    stored: JSONObject | None = None
    subresource: str = ""
    version: str = "v1"
    is_versioned: bool = True
    validation: FieldValidation = FieldValidation.STRICT


@dataclass(slots=True)
class Setup:
    """Policies with their bindings, which are about objects with the label ``setup`` of this name; and objects to send."""

    name: str
    policies: list[JSONObject] = field(default_factory=list)
    bindings: list[JSONObject] = field(default_factory=list)
    others: list[JSONObject] = field(default_factory=list)
    #: Validating policies with their bindings.
    validating: list[JSONObject] = field(default_factory=list)
    requests: list[Sent] = field(default_factory=list)


class Draw:
    """Draws from a seed."""

    #: The percentage of policies with parameters.
    parameters = 18
    #: The percentage of operations of a JSON patch that write something odd into the metadata.
    odd_metadata = 6

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._texts: list[str] = []
        self._numbers: list[str] = []

    def pick(self, options: Sequence[Any]) -> Any:
        """One of the options."""
        return self._random.choice(options)

    def chance(self, percent: float) -> bool:
        """True in this percentage of draws."""
        return self._random.random() * 100 < percent

    def some(self, options: Sequence[Any], least: int, most: int) -> list[Any]:
        """A few different ones of the options."""
        count = self._random.randint(least, min(most, len(options)))
        return self._random.sample(list(options), count)

    # --- set-ups ---

    def setup(self, number: int) -> Setup:
        """One set-up."""
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

    def broken(self, name: str) -> JSONObject:
        """A policy that the server may not store."""
        policy = self._policy(name, name)
        for key, value in self.pick(PIECES["broken"]).items():
            policy["spec"][key] = value
            if value is None:
                del policy["spec"][key]
        return policy

    def _policy(self, name: str, setup: str) -> JSONObject:
        has_params = self.chance(self.parameters)
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
            chosen = self.some(self._condition_texts(), 1, 2)
            spec["matchConditions"] = [{"name": f"c{at}", "expression": text} for at, text in enumerate(chosen)]
        return {"apiVersion": _API, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}

    def _condition_texts(self) -> list[str]:
        return list(PIECES["conditions"])

    def _constraints(self, setup: str) -> JSONObject:
        resources = ["widgets", "widgets/*"] if self.chance(30) else ["widgets"]
        rule: JSONObject = {"apiGroups": [GROUP], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": resources}
        if self.chance(15):
            rule["apiVersions"] = self.pick([["*"], ["v1beta1"], ["v1", "v1beta1"]])
        if self.chance(10):
            rule["operations"] = [self.pick(["CREATE", "UPDATE"])]
        found: JSONObject = {"resourceRules": [rule], "objectSelector": {"matchLabels": {"setup": setup}}}
        return {**found, "matchPolicy": "Exact"} if self.chance(10) else found

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
        data = {"colour": self.pick(["x", "", "a/b"]), "size": self.pick(["3", "12", "many"])}
        metadata = {"name": name, "namespace": "default", "labels": {"settings": setup}}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}

    def _variables(self, *, has_params: bool) -> dict[str, str]:
        if not self.chance(30):
            return {}
        options = {name: text for name, text in PIECES["variables"].items() if has_params or name != "colour"}
        chosen = set(self.some(list(options), 1, 3))
        if "heavy" in chosen:
            chosen.add("size")
        return {name: text for name, text in options.items() if name in chosen}

    # --- mutations ---

    def _mutation(self, variables: dict[str, str], *, has_params: bool) -> JSONObject:
        self._texts = [f"variables.{name}" for name in ("title", "colour") if name in variables]
        self._numbers = [f"variables.{name}" for name in ("size", "heavy") if name in variables]
        if has_params:
            self._texts.append("params.data.colour")
            self._numbers.append("int(params.data.size)")
        if self.chance(55):
            return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": self._configuration(variables)}}
        return {"patchType": "JSONPatch", "jsonPatch": {"expression": self._patch(variables)}}

    def _configuration(self, variables: dict[str, str]) -> str:
        parts = []
        if self.chance(90):
            parts.append(f"spec: {self._spec()}")
        if self.chance(25) or not parts:
            parts.append(f"metadata: Object.metadata{{{', '.join(self._distinct(self.some(PIECES['metadata'], 1, 2)))}}}")
        if self.chance(4):
            parts.append(self.pick(PIECES["roots"]))
        found = f"Object{{{', '.join(parts)}}}"
        if "bad" in variables and self.chance(40):
            found = f"variables.bad == 1 ? {found} : Object{{}}"
        if self.chance(5):
            found = f"has(object.spec.title) ? {found} : null"
        return "Object{spec: object.spec}" if self.chance(3) else found

    def _distinct(self, texts: Sequence[str]) -> list[str]:
        """At most one entry for each field."""
        return list({text.split(":")[0]: text for text in texts}.values())

    def _spec(self) -> str:
        names = self.some(list(PIECES["fields"]), 1, 3)
        chosen = [name for name in names if name not in PIECES["rare"] or self.chance(30)] or ["title"]
        return f"Object.spec{{{', '.join(map(self._entry, chosen))}}}"

    def _entry(self, name: str) -> str:
        if self.chance(7):
            return f"{name}: {self.pick(PIECES['wrong'])}"
        written = self._filled(self.pick(PIECES["fields"][name]))
        if self.chance(7):
            return f"?{name}: {self.pick([f'object.?spec.{name}', 'optional.none()', f'optional.of({written})'])}"
        return f"{name}: object.spec.{name}" if self.chance(4) else f"{name}: {written}"

    def _filled(self, text: str) -> str:
        return _DRAWN.sub(lambda found: self._drawn(found[1]), text)

    def _drawn(self, what: str) -> str:
        if what in ("text", "number"):
            own = self._texts if what == "text" else self._numbers
            return str(self.pick(own if own and self.chance(40) else PIECES[f"{what}s"]))
        if what == "deep":
            return f"Object.spec.nested.deep{{{self.pick(PIECES['deep'])}}}"
        key = f'name: "{self.pick("abcde")}"' if what == "part" else f"port: {self.pick([80, 81, 443])}"
        more = [text for text in self._distinct(self.some(PIECES[what], 0, 2)) if "args" not in text or self.chance(30)]
        return f"Object.spec.{what}s{{{', '.join([*([key] if self.chance(95) else []), *more])}}}"

    # --- patches ---

    def _patch(self, variables: dict[str, str]) -> str:
        found = f"[{', '.join(self._operation() for _ in range(self.pick([1, 1, 1, 2, 2, 3])))}]"
        if self.chance(8):
            found = f"has(object.spec.title) ? {found} : []"
        if self.chance(6):
            more = 'JSONPatch{op: "add", path: "/metadata/labels/" + p.name, value: "x"}'
            found = f"{found} + object.spec.?parts.orValue([]).map(p, {more})"
        if "bad" in variables and self.chance(40):
            found = f"variables.bad == 1 ? {found} : {found}"
        return found

    def _odd_metadata(self) -> str:
        path, value = json.dumps(self.pick(PIECES["metadata_paths"])), self.pick(PIECES["metadata_values"])
        op = self.pick(["add", "replace", "replace", "remove"])
        return f'JSONPatch{{op: "{op}", path: {path}{"" if op == "remove" else f", value: {value}"}}}'

    def _operation(self) -> str:
        if self.chance(self.odd_metadata):
            return self._odd_metadata()
        usual, every = ["add", "replace"], ["add", "add", "replace", "remove", "test", "copy", "move", "merge"]
        op = self.pick(every if self.chance(40) else usual)
        entries = [f'op: "{op}"', f"path: {self._path()}"]
        if op in ("copy", "move") and self.chance(92):
            entries.append(f"from: {self._path()}")
        if op == "test" or (op not in ("copy", "move", "remove") and self.chance(96)):
            entries.append(f"value: {self._filled(str(self.pick(PIECES['values'])))}")
        return f"JSONPatch{{{', '.join(entries)}}}"

    def _path(self) -> str:
        if self.chance(8):
            return f'"/metadata/labels/" + jsonpatch.escapeKey({json.dumps(self.pick(PIECES["keys"]))})'
        return json.dumps(self.pick(PIECES["odd_paths" if self.chance(25) else "paths"]))

    # --- objects ---

    def _sent(self, setup: str, index: int) -> Sent:
        body = self._widget(setup, f"{setup}-{index}")
        validation = FieldValidation.STRICT
        if self.chance(10):
            validation = self.pick(list(FieldValidation))
            body["spec"][self.pick(["unknown", "Title", "size2"])] = self.pick([1, "a", None, {"a": 1}])
        version = "v1beta1" if self.chance(12) else "v1"
        body["apiVersion"] = f"{GROUP}/{version}"
        if self.chance(6):
            name = body["metadata"].pop("name")
            body["metadata"]["generateName"] = f"{name}-"
            return Sent(body, version=version, validation=validation)
        if not self.chance(30):
            return Sent(body, version=version, validation=validation)
        stored = self._widget("", body["metadata"]["name"])
        subresource = self.pick(["", "", "", "status", "scale"]) if self.chance(40) else ""
        if self.chance(12):
            body["metadata"] |= self.pick(PIECES["sent_metadata"])
        return Sent(body, stored, subresource, version, is_versioned=self.chance(93), validation=validation)

    def _widget(self, setup: str, name: str) -> JSONObject:
        labels: JSONObject = {"setup": setup} if setup else {}
        if self.chance(25):
            labels["extra"] = "yes"
        metadata: JSONObject = {"name": name, "namespace": "default", "labels": labels}
        if self.chance(15):
            metadata["annotations"] = {"note": "kept"}
        if self.chance(10):
            metadata["finalizers"] = ["x.test/y"]
        spec = {key: self.pick(PIECES["objects"][key]) for key in self.some(list(PIECES["objects"]), 2, 9)}
        if self.chance(3):
            spec[self.pick(["title", "size", "tags", "parts"])] = self.pick(PIECES["bad_values"])
        return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": metadata, "spec": spec}
