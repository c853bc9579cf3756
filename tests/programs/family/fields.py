"""The fields of a CRD's spec with which a small family is written, and the rest of a spec that the CRD accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import HealthCheck, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DrawFn

from tests.programs.differential.dice import Dice
from tests.programs.differential.valid import valid_map
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import definitions_among

#: The most of its first field that the small family allows, and the value that it fills into the second.
MOST: Final = 20
FILLED: Final = "yellow"
#: Fields that are likelier than others to be about what an operator creates.
_LIKELY: Final = ("replicas", "minReplicas", "maxReplicas")
#: A text in a CEL rule.
_LITERAL: Final = re.compile(r"""["']([^"']+)["']""")
_WORD: Final = re.compile(r"[a-z][A-Za-z0-9]*")
_TRIES: Final = settings(database=None, deadline=None, max_examples=300, derandomize=True, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Fields:
    """Two fields directly in a spec: a whole number, and an optional text without limits, if there is one; and the required rest.

    `refusal` is what the API server says of that rest, if no accepted one was found.
    """

    number: str
    text: str
    rest: JSONObject
    refusal: str = ""


def fields_of(definition: dict[str, Any]) -> Fields | None:
    """The fields of a CRD's stored version; `None` if its spec lacks a whole number."""
    version = next(version for version in items(part(definition, "spec"), "versions") if flag(version, "storage"))
    spec = part(version, "schema", "openAPIV3Schema", "properties", "spec")
    schemas, required = part(spec, "properties"), spec.get("required") or []
    numbers = [name for name, schema in schemas.items() if _WORD.fullmatch(name) and _is_any_number(schema)]
    texts = [name for name, schema in schemas.items() if _WORD.fullmatch(name) and name not in required and _is_any_text(schema)]
    if not numbers:
        return None
    number = next((name for name in _LIKELY if name in numbers), numbers[0])
    return _with_rest(definition, text(version, "name"), Schema(spec), number, next(iter(texts), ""))


def example(definition: dict[str, Any], version: str, spec: JSONObject) -> JSONObject:
    """An object of the CRD's kind."""
    described = part(definition, "spec")
    api_version, kind = f"{text(described, 'group')}/{version}", text(part(described, "names"), "kind")
    namespace = {"namespace": "default"} if text(described, "scope") == "Namespaced" else {}
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "todo", **namespace}, "spec": spec}


def _is_any_number(schema: JSONObject) -> bool:
    bounds = schema.get("minimum", 0), schema.get("maximum", MOST + 1)
    is_plain = schema.get("type") == "integer" and not schema.keys() & {"enum", "multipleOf"}
    return is_plain and bounds[0] <= 1 and bounds[1] > MOST


def _is_any_text(schema: JSONObject) -> bool:
    limits = {"enum", "pattern", "format", "default", "x-kubernetes-validations"}
    is_plain = schema.get("type") == "string" and not schema.keys() & limits
    return is_plain and schema.get("minLength", 0) <= len(FILLED) <= schema.get("maxLength", len(FILLED))


def _with_rest(definition: dict[str, Any], version: str, schema: Schema, number: str, field: str) -> Fields:
    facts, specs = from_objects([], definitions_among([definition])), _specs(schema, (number, field))

    def refusal(rest: JSONObject, count: int) -> str:
        return _refusal(example(definition, version, {number: count, **rest}), facts)

    try:
        rest = find(specs, lambda rest: not (refusal(rest, MOST) or refusal(rest, MOST + 1)), settings=_TRIES)
        return Fields(number, field, rest)
    except NoSuchExample:
        rest = find(specs, lambda _: True, settings=_TRIES)
        return Fields(number, field, rest, refusal(rest, MOST) or refusal(rest, MOST + 1))


@st.composite
def _specs(draw: DrawFn, schema: Schema, but: tuple[str, ...]) -> JSONObject:
    """Specs with the required fields. Their texts begin at times as a CEL rule wants, such as with ``hf://``."""
    dice, literals = Dice(draw), _LITERAL.findall(" ".join(_rules(schema.raw)))
    spec = {name: value for name, value in valid_map(dice, schema).items() if name not in but}
    if literals and dice.chance(50):
        free = [name for name, value in spec.items() if isinstance(value, str) and "enum" not in schema.properties[name].raw]
        spec |= {name: f"{dice.pick(literals)}a" for name in free}
    return spec


def _rules(schema: JSONObject) -> list[str]:
    """The CEL rules of a spec and of the fields in it."""
    nodes = [schema, *part(schema, "properties").values()]
    return [text(rule, "rule") for node in nodes for rule in items(node, "x-kubernetes-validations")]


def _refusal(obj: JSONObject, facts: Facts) -> str:
    """What the API server says of an object that it refuses; empty if it stores it."""
    gvk = GroupVersionKind.from_object(obj)
    if gvk is None:
        return "it has no kind"
    request = Request("family", Operation.CREATE, gvk, obj, namespace=obj["metadata"].get("namespace", ""), name="todo")
    decision = decide(request, facts, DEFAULT, Phase.APISERVER)
    return "" if decision.allowed else decision.message
