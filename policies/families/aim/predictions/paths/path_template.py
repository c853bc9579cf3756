"""The path of a service's route from its template.

Each expression in braces is a JSONPath on the service that must give one value.

Source: kaiwo dbca1b55, internal/controller/aim/shared/route_template.go; aim-engine v0.2.1, internal/aimservice/httproute_template.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.paths.go_print import ADDRESS, UNKNOWN, printed
from weighbridge.policies.families.aim.predictions.paths.json_path import (
    UID,
    ChangingPathError,
    PathTemplateError,
    UnreadPathError,
    looked_up,
)
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject

LONGEST: Final = 200
_LONGEST_PART: Final = 63
_BRACES: Final = expression(r"\{([^{}]+)\}")
_EMPTY_BRACES: Final = expression(r"\{\}")
_RUNS: Final = expression(r"[-.]{2,}")


def rendered(template: str, service: JSONObject, dialect: Dialect) -> str:
    """The path. Raises `PathTemplateError` if there is none, and `UnreadPathError`."""
    filled = _BRACES.sub(lambda found: _value(found[1].strip(), service, dialect), template).strip()
    if not filled:
        raise PathTemplateError("the path is empty")
    whole = filled if filled.startswith("/") else f"/{filled}"
    if len(whole.rstrip("/").encode()) > LONGEST:
        raise PathTemplateError(f"the path is longer than {LONGEST} bytes")
    segments = [_encoded(segment, dialect) for segment in filled.split("/") if segment != ".."]
    path = _with_uid("/" + "/".join(filter(None, segments)))
    if not dialect.is_aim_engine and len(path.encode()) > LONGEST:
        raise PathTemplateError(f"the path is longer than {LONGEST} bytes")
    return path


def _with_uid(path: str) -> str:
    """The path with a mark for the uid that the service will get."""
    whole = path.replace(UID, "<uid>")
    if UID[:4] in whole and UID[:4] in path:
        raise UnreadPathError("the path is cut within the uid, which the server gives")
    return whole


def stray_braces(template: str) -> bool:
    """Whether the template has braces that enclose no expression, and so go into the path as text."""
    rest = _EMPTY_BRACES.sub("{", _BRACES.sub("", template))
    return "{" in rest or "}" in rest


def expressions(template: str) -> list[str]:
    """The expressions in the template's braces."""
    return [found.strip() for found in _BRACES.findall(template)]


def _value(expression: str, service: JSONObject, dialect: Dialect) -> str:
    text = printed(looked_up(expression, service, dialect)).strip()
    # The value of an annotation may have several segments, which stay as they are.
    if expression.startswith(".metadata.annotations["):
        return text
    for mark, error in ((ADDRESS, _address), (UNKNOWN, _unread)):
        before, found, _ = text.partition(mark)
        if found and len(_clean(f"{before}x", dialect)) <= _LONGEST_PART:
            raise error(expression)
    return _encoded(text, dialect)


def _address(expression: str) -> UnreadPathError:
    return ChangingPathError(f"{{{expression}}} has the address of a pointer, which is another one after each restart of the operator")


def _unread(expression: str) -> UnreadPathError:
    return UnreadPathError(f"{{{expression}}} isn't a single value")


def _encoded(text: str, dialect: Dialect) -> str:
    return _clean(text, dialect)[:_LONGEST_PART].strip("-.")


def _clean(text: str, dialect: Dialect) -> str:
    """A part with a dash for each character that a path can't have; for aim-engine that includes dots."""
    if dialect.is_aim_engine:
        return re.sub(r"[^a-z0-9-]", "-", text.lower()).strip("-.")
    return _RUNS.sub("-", re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-."))
