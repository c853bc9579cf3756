"""The path of a service's route from its template.

What stands in braces is a JSONPath on the service that must give one value; only a chain of fields, quoted keys and indices is read here.
Sources: kaiwo dbca1b55, internal/controller/aim/shared/route_template.go; aim-engine v0.2.1, internal/aimservice/httproute.go.
"""

from __future__ import annotations

import re
from typing import Final

from policies.families.aim.dialect import Dialect
from policies.go_text import value_text
from policies.objects import JSONObject, JSONValue

LONGEST: Final = 200
_LONGEST_PART: Final = 63
_BRACES: Final = re.compile(r"\{([^{}]+)\}")
#: What the API server puts into an object when it stores it.
_BY_SERVER: Final = (".metadata.uid", ".metadata.creationTimestamp", ".metadata.resourceVersion", ".metadata.generation")
_EMPTY_BRACES: Final = re.compile(r"\{\}")
_STEP: Final = re.compile(r"\.([A-Za-z_][\w-]*)|\[(?:'([^']*)'|\"([^\"]*)\")\]|\[(-?\d+)\]")
_RUNS: Final = re.compile(r"[-.]{2,}")


class PathTemplateError(Exception):
    """A template that gives no path: the words say why."""


class UnreadPathError(Exception):
    """A JSONPath of which it isn't known what the operator makes."""


def rendered(template: str, service: JSONObject, dialect: Dialect) -> str:
    """The path. Raises `PathTemplateError` where there is none, and `UnreadPathError`."""
    if not template.strip():
        raise PathTemplateError("the template is empty")
    filled = _BRACES.sub(lambda found: _value(found[1].strip(), service, dialect), template)
    whole = f"/{filled.lstrip('/')}" if not filled.startswith("/") else filled
    if len(whole.rstrip("/").encode()) > LONGEST:
        raise PathTemplateError(f"the path is longer than {LONGEST} bytes")
    segments = [_encoded(segment, dialect) for segment in filled.split("/") if segment != ".."]
    path = "/" + "/".join(filter(None, segments))
    if not dialect.merges_deeply and len(path.encode()) > LONGEST:
        raise PathTemplateError(f"the path is longer than {LONGEST} bytes")
    return path


def stray_braces(template: str) -> bool:
    """Whether braces are left that enclose no expression, and so go into the path as text."""
    rest = _EMPTY_BRACES.sub("{", _BRACES.sub("", template))
    return "{" in rest or "}" in rest


def expressions(template: str) -> list[str]:
    """What stands in the template's braces."""
    return [found.strip() for found in _BRACES.findall(template)]


def _value(expression: str, service: JSONObject, dialect: Dialect) -> str:
    found = _looked_up(expression, service)
    if isinstance(found, dict):
        # Go prints a map with its keys in order; of the other parts it prints structures, with the addresses of what they point to.
        if not expression.startswith(".metadata."):
            raise UnreadPathError(f"{{{expression}}} is no single value")
        return _encoded("map[" + " ".join(f"{key}:{found[key]}" for key in sorted(found)) + "]", dialect)
    if isinstance(found, list):
        raise UnreadPathError(f"{{{expression}}} is no single value")
    text = found if isinstance(found, str) else value_text(found)
    if expression.startswith(".metadata.annotations["):
        return "/".join(filter(None, (_clean(part, dialect) for part in text.split("/"))))
    return _encoded(text, dialect)


def _looked_up(expression: str, service: JSONObject) -> JSONValue:
    if expression in _BY_SERVER:
        raise UnreadPathError(f"what {{{expression}}} is only the server knows")
    at, value = 0, service
    while at < len(expression):
        step = _STEP.match(expression, at)
        if step is None:
            if "[" in expression[at:] and "]" not in expression[at:]:
                raise PathTemplateError(f"{{{expression}}}: unterminated array")
            raise UnreadPathError(f"{{{expression}}} isn't read here")
        at = step.end()
        value = _step(step, value, expression)
    return value


def _step(step: re.Match[str], value: JSONValue, expression: str) -> JSONValue:
    key = next((group for group in step.groups()[:3] if group is not None), None)
    if key is None:
        index = int(step[4])
        if not isinstance(value, list) or not -len(value) <= index < len(value):
            raise PathTemplateError(f"{{{expression}}}: there is no item {index}")
        return value[index]
    if not isinstance(value, dict) or value.get(key) is None:
        raise PathTemplateError(f"{{{expression}}}: {key} is not found")
    return value[key]


def _encoded(text: str, dialect: Dialect) -> str:
    return _clean(text, dialect)[:_LONGEST_PART].strip("-.")


def _clean(text: str, dialect: Dialect) -> str:
    """A part in characters that a path may have; aim-engine has no dots there, and puts a dash for each other character."""
    if dialect.merges_deeply:
        return re.sub(r"[^a-z0-9-]", "-", text.lower()).strip("-.")
    return _RUNS.sub("-", re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-."))
