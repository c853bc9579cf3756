"""A real kube-apiserver's answers to rules: CRDs with the rules are created as a dry run, and the refusals are parsed."""

from __future__ import annotations

import json
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any

from weighbridge.policies.cel.rules.rule_verdict import judge_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.schema.node import Schema, ValidationRule

#: The number of rules in one CRD: requests stay far below three megabytes.
_BATCH = 200
_FIELD = re.compile(r"spec\.validation\.openAPIV3Schema\.properties\[p(\d+)\]\.x-kubernetes-validations\[0\]\.(rule|messageExpression)$")
_TEXT = re.compile(
    r"^Invalid value: \{.*?\}: ((?:messageExpression )?compilation failed: .*|cel expression must .*|messageExpression must .*"
    r"|(?:program|messageExpression) instantiation failed: .*)$",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule and the schema of its node."""

    rule: str
    schema: dict[str, Any]
    message_expression: str = ""

    def entry(self) -> dict[str, Any]:
        """The rule as a CRD contains it."""
        found = {"rule": self.rule, "message": "m"}
        return found | ({"messageExpression": self.message_expression} if self.message_expression else {})

    def node(self) -> dict[str, Any]:
        """The node with only this rule, here and below."""
        return _bare(self.schema) | {"x-kubernetes-validations": [self.entry()]}


class RuleServer:
    """Sends requests to the server."""

    def __init__(self, server: str, token: str, ca_file: Path) -> None:
        self._server = server
        self._token = token
        self._context = ssl.create_default_context(cafile=str(ca_file))

    def post(self, path: str, body: Any, *, method: str = "POST") -> tuple[int, dict[str, Any]]:
        """The status and the body of the answer."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._server + path, json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=120) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read()
            # A resource that isn't served yet is refused in plain text.
            return refused.code, json.loads(text) if text.startswith(b"{") else {"message": text.decode()}

    def wait_for(self, path: str) -> None:
        """Returns once a resource is served; raises TimeoutError if it isn't after half a minute."""
        for _ in range(150):
            if self.post(path, {})[0] != 404:
                return
            sleep(0.2)
        raise TimeoutError(path)

    def compile(self, rules: Sequence[PlacedRule]) -> list[dict[str, str]]:
        """The errors of each rule, in ``rule`` and ``messageExpression``, without those about costs."""
        found: list[dict[str, str]] = []
        for start in range(0, len(rules), _BATCH):
            found += self._compile_batch(rules[start : start + _BATCH])
        return found

    def _compile_batch(self, rules: Sequence[PlacedRule]) -> list[dict[str, str]]:
        properties = {f"p{number}": rule.node() for number, rule in enumerate(rules)}
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All"
        code, body = self.post(path, crd({"type": "object", "properties": properties}))
        found: list[dict[str, str]] = [{} for _ in rules]
        if code == 201:
            return found
        for cause in body.get("details", {}).get("causes") or [{"field": "?", "message": body["message"]}]:
            place = _FIELD.match(cause["field"])
            if place is None:
                if not cause["field"].startswith("spec.validation.openAPIV3Schema") or "cost" not in cause["message"]:
                    raise AssertionError(cause)
                continue
            text = _TEXT.match(cause["message"])
            if text is not None:
                found[int(place.group(1))][place.group(2)] = normalised(text.group(1))
            elif "cost exceeds budget" not in cause["message"] and "contributed to estimated" not in cause["message"]:
                raise AssertionError(cause)
        return found


def crd(schema: dict[str, Any]) -> dict[str, Any]:
    """A CustomResourceDefinition of one version with a schema."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "rules.weighbridge.test"},
        "spec": {
            "group": "weighbridge.test",
            "names": {"plural": "rules", "kind": "Rule"},
            "scope": "Cluster",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def judged(placed: PlacedRule) -> dict[str, str]:
    """Our errors on the rule, in the same form."""
    declared = DeclaredType(Schema(_bare(placed.schema)))
    verdict = judge_rule(ValidationRule.from_json(placed.entry()), declared)
    said = {"rule": verdict.error, "messageExpression": verdict.message_error}
    return {part: normalised(text) for part, text in said.items() if text}


def normalised(text: str) -> str:
    """A text without the number in generated type names, which changes with every compilation."""
    return re.sub(r"selfType\d+", "selfType0", text)


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without its rules, and with the types that a CRD must have."""
    found = {key: value for key, value in schema.items() if key not in ("x-kubernetes-validations", "default")}
    for key in ("items", "additionalProperties"):
        if isinstance(found.get(key), dict):
            found[key] = _bare(found[key])
    if "properties" in found:
        found["properties"] = {name: _bare(inner) for name, inner in found["properties"].items()}
    return {key: value for key, value in found.items() if key not in ("allOf", "anyOf", "oneOf", "not", "nullable")}


def schemas_with_rules(schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each rule of a schema with its node."""
    for rule in schema.get("x-kubernetes-validations") or []:
        yield rule, schema
    for inner in [*(schema.get("properties") or {}).values(), schema.get("items"), schema.get("additionalProperties")]:
        if isinstance(inner, dict):
            yield from schemas_with_rules(inner)
