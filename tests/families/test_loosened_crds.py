"""For every CRD that ships: the webhook accepts an installed CRD that upstream loosened, and makes up for one that provably lost its
checks.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from weighbridge.policies.apiserver.demands import Demands
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.verdict.crd_rules import demands_on
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.facts import definitions_among

RULES: Final = "x-kubernetes-validations"
CHECKS: Final = (
    "enum", "pattern", "format", "multipleOf", "minimum", "minLength", "minItems", "minProperties", "maximum", "maxLength", "maxItems",
    "maxProperties", "required", RULES,
)  # fmt: skip
#: A rule that no release has.
_OTHER_RULE: Final = {"rule": "true"}
_SECTIONS: Final = {"inference_extension": "inferenceExtension"}


def _shipped() -> Iterator[tuple[str, Configuration, JSONObject]]:
    """Each CRD of each release, with its name."""
    for family in families():
        for version in family.versions or ("",):
            config = parse({_SECTIONS.get(family.name, family.name): {"version": version}}) if version else DEFAULT
            for crd in bundled_crds(config):
                if family_of(crd["spec"]["group"]) is family:
                    yield f"{crd['metadata']['name']} {version}".strip(), config, crd


SHIPPED: Final = {name: (config, crd) for name, config, crd in _shipped()}


def nodes(crd: JSONObject, *, status: bool = False) -> Iterator[tuple[str, Any]]:
    """Each place of the schemas, with its path; those of the status only on request."""
    for version in crd["spec"]["versions"]:
        waiting = [("", version["schema"]["openAPIV3Schema"])]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            below = [(f"{path}.{name}", child) for name, child in node.get("properties", {}).items()]
            below += [(f"{path}[]", node[key]) for key in ("items", "additionalProperties") if isinstance(node.get(key), dict)]
            left_out = (".metadata",) if status else (".metadata", ".status")
            waiting += [(where, child) for where, child in below if not where.startswith(left_out)]


def demanded(crd: JSONObject, config: Configuration = DEFAULT) -> Demands | None:
    """The demands that the webhook checks if this CRD is installed."""
    gvk = GroupVersionKind(crd["spec"]["group"], crd["spec"]["versions"][0]["name"], crd["spec"]["names"]["kind"])
    family = family_of(gvk.group)
    assert family is not None
    return demands_on(gvk, family, from_objects([], definitions_among([crd], config)), config)


def _first(crd: JSONObject, keyword: str, change: Callable[[Any], Any]) -> bool:
    """Change the first value of a keyword. Returns whether there is one."""
    for _, node in nodes(crd):
        value = node.get(keyword)
        if value and not isinstance(value, dict):
            node[keyword] = change(value)
            return True
    return False


def _without_a_rule(crd: JSONObject) -> None:
    """Drop a rule that wasn't changed and a required field, as a release may."""
    for _, node in nodes(crd):
        if node.get(RULES) and _OTHER_RULE not in node[RULES]:
            del node[RULES]
            break
    for path, node in nodes(crd):
        if path and node.pop("required", None):
            break


def _field_added(crd: JSONObject) -> bool:
    for path, node in nodes(crd):
        if path == ".spec" and "properties" in node:
            node["properties"]["cameLater"] = {"type": "string"}
            return True
    return False


LOOSENED: Final[dict[str, Callable[[JSONObject], bool]]] = {
    "an enum is wider": lambda crd: _first(crd, "enum", lambda values: [*values, "cameLater"]),
    "a largest number is larger": lambda crd: _first(crd, "maximum", lambda value: value + 1),
    "a smallest number is smaller": lambda crd: _first(crd, "minimum", lambda value: value - 1),
    "a text may be longer": lambda crd: _first(crd, "maxLength", lambda value: value + 1),
    "a text may be shorter": lambda crd: _first(crd, "minLength", lambda value: value - 1),
    "a list may be longer": lambda crd: _first(crd, "maxItems", lambda value: value + 1),
    "a pattern is another": lambda crd: _first(crd, "pattern", lambda value: f"{value}|^cameLater$"),
    "a rule is another": lambda crd: _first(crd, RULES, lambda rules: [_OTHER_RULE, *rules[1:]]),
    "a default is another": lambda crd: _first(crd, "default", lambda value: "cameLater" if isinstance(value, str) else value),
    "a field is new": _field_added,
}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_crd_that_upstream_loosened_is_followed(name: str) -> None:
    config, crd = SHIPPED[name]
    assert demanded(crd) is None
    assert demanded(crd, config) is None
    for what, loosen in LOOSENED.items():
        loosened = copy.deepcopy(crd)
        if loosen(loosened) and loosened != crd:
            for each in (DEFAULT, config):
                assert demanded(loosened, each) is None, what
                lacking = copy.deepcopy(loosened)
                _without_a_rule(lacking)
                assert demanded(lacking, each) is None, f"{what}, and a rule is gone"


def test_each_way_to_loosen_is_tried_with_some_crd_and_each_family_has_one() -> None:
    tried = {(what, name) for what, loosen in LOOSENED.items() for name, (_, crd) in SHIPPED.items() if loosen(copy.deepcopy(crd))}
    assert {what for what, _ in tried} == LOOSENED.keys()
    of_families = [family_of(name.split()[0].partition(".")[2]) for what, name in tried if what != "a field is new"]
    assert all(any(family is each for each in of_families) for family in families())


def _newest() -> list[str]:
    """The newest CRD of each kind."""
    return list({name.split()[0]: name for name in SHIPPED}.values())


def _strip(crd: JSONObject, *keywords: str) -> tuple[JSONObject, int]:
    """A copy without some keywords and without texts, and how many places outside of the status lost one."""
    found, count = copy.deepcopy(crd), 0
    for path, node in nodes(found, status=True):
        lost = [node.pop(keyword) for keyword in keywords if keyword in node]
        count += any(lost) and not path.startswith(".status")
        node.pop("description", None)
    return found, count


@pytest.mark.parametrize("name", SHIPPED)
def test_a_copy_without_any_rule_is_held_to_them(name: str) -> None:
    _, crd = SHIPPED[name]
    stripped, count = _strip(crd, RULES)
    found = demanded(stripped)
    lost = [loss for loss in found.losses or () if loss.keyword == RULES] if found is not None else []
    assert len({loss.field for loss in lost}) == count


@pytest.mark.parametrize("name", _newest())
def test_a_copy_without_any_check_is_held_to_them(name: str) -> None:
    _, crd = SHIPPED[name]
    stripped, count = _strip(crd, *CHECKS)
    found = demanded(stripped)
    assert (len(found.losses or ()) >= count) if found is not None else not count
