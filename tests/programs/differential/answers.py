"""Both answers to a request in one form, without the parts that can't be equal, each for a reason:

- uid, creationTimestamp and resourceVersion of a created object, managedFields and their times: only a server draws or keeps them;
- the five characters after a generateName: random;
- the order of errors at one level, and of warnings from rules: the server walks Go maps, whose order is random;
- which rules were evaluated before one was stopped for its cost, and which of two bad values a rule met first: these depend on the same
  order, which the answer doesn't show. So a request with a different answer is sent again (`both`), and one equal answer is enough;
- the body as an answer quotes it: the engine has the value and not the text, and a text may write a number in several ways;
- what looks like a credential in a URL: the engine never shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.programs.differential.body_text import Twice, written
from tests.programs.differential.cases import Case
from tests.programs.differential.connection import Reply
from weighbridge.policies.apiserver.prepare import GENERATED_SUFFIX
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.go_text import json_text, quote
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, metadata_of
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials

_UNKNOWABLE_ALWAYS: Final = ("managedFields", "selfLink")
_UNKNOWABLE_OF_NEW: Final = ("uid", "creationTimestamp", "resourceVersion")
_DRAWN: Final = "[bcdfghjklmnpqrstvwxz2456789]{5}"
_QUOTED_BODY: Final = re.compile(r"(?s)(Object '(?:Kind|apiVersion)' is missing in ').*")
_QUOTED_START: Final = re.compile(r"(?s)(\(must be of type [^)]*\): .*) \(.*?\)$")
_STRICT: Final = ("unknown field ", "duplicate field ")
_PUT_OFF: Final = " is invalid: "


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as the client gets it: the status, the text up to its errors, the errors, the warnings, the object as JSON."""

    code: int
    message: str = ""
    causes: tuple[tuple[str, str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    object: str = ""


def of_server(case: Case, reply: Reply) -> Answer:
    """The answer of the real server."""
    if not isinstance(reply.body, dict):
        return Answer(reply.code, str(reply.body))
    if reply.code < 300:
        return Answer(reply.code, warnings=_warnings(reply.warnings), object=_object(case, reply.body))
    hidden = HiddenCredentials(case.body, case.stored)
    message = _undrawn(case, hidden.words(reply.body.get("message", "")))
    causes = [hidden.value(cause) for cause in (reply.body.get("details") or {}).get("causes") or []]
    return Answer(reply.code, *_errors(case, message, causes), warnings=_warnings(reply.warnings))


def of_engine(case: Case, decision: Decision) -> Answer:
    """The answer of the engine."""
    if decision.allowed:
        return Answer(decision.code, warnings=_warnings(decision.warnings), object=_object(case, decision.object))
    return Answer(decision.code, *_errors(case, decision.message, decision.causes), warnings=_warnings(decision.warnings))


def _errors(case: Case, message: str, causes: Sequence[JSONObject]) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """The message without its list of errors, which must be the causes in their order, each once; and the causes sorted."""
    listed = list(dict.fromkeys(f"{cause['field']}: {cause['message']}" for cause in causes))
    texts = _undrawn(case, listed[0] if len(listed) == 1 else f"[{', '.join(listed)}]")
    start, put_off, errors = message.partition(_PUT_OFF)
    if listed and put_off and errors == texts:
        message = start + put_off
    entries = [(str(cause.get("reason", "")), str(cause["field"]), _undrawn(case, str(cause["message"]))) for cause in causes]
    return _unquoted(message), tuple(sorted(entries))


def _undrawn(case: Case, text: str) -> str:
    """The text with a placeholder for a name that the server drew."""
    base = _generate_name(case)
    if not base:
        return text
    start = base.encode()[:58].decode(errors="ignore")
    for shown in (start, quote(start)[1:-1]):
        text = re.sub(re.escape(shown) + _DRAWN, lambda _, shown=shown: shown + GENERATED_SUFFIX, text)  # type: ignore[misc]
    return text


def _generate_name(case: Case) -> str:
    """The generateName of the body that counts; empty if there is none."""
    metadata = case.body.get("metadata") if isinstance(case.body, dict) else None
    if isinstance(metadata, Twice):
        metadata = metadata.second
    base = metadata.get("generateName") if isinstance(metadata, dict) else None
    if isinstance(base, Twice):
        base = base.second
    return base if isinstance(base, str) else ""


def _unquoted(message: str) -> str:
    return _QUOTED_START.sub(r"\1", _QUOTED_BODY.sub(r"\1", message))


def _warnings(texts: Sequence[str]) -> tuple[str, ...]:
    """The warnings about fields in their order, then the others sorted."""
    strict = [text for text in texts if text.startswith(_STRICT)]
    return (*strict, *sorted(text for text in texts if not text.startswith(_STRICT)))


def _object(case: Case, obj: JSONValue) -> str:
    if not isinstance(obj, dict):
        return written(obj, json_text)
    if case.subresource == "scale":
        return _scale(case, obj)
    unknowable = _UNKNOWABLE_ALWAYS if case.stored is not None else (*_UNKNOWABLE_ALWAYS, *_UNKNOWABLE_OF_NEW)
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in unknowable}
    if case.stored is None and metadata.get("generateName") and _is_drawn(metadata):
        metadata.pop("name", None)
    return written(obj | {"metadata": metadata}, json_text)


def _is_drawn(metadata: JSONObject) -> bool:
    """Whether the name, if there is one, was made from the generateName."""
    name, base = metadata.get("name", ""), metadata["generateName"]
    return not name or re.fullmatch(re.escape(base.encode()[:58].decode(errors="ignore")) + _DRAWN, name) is not None


def _scale(case: Case, obj: JSONObject) -> str:
    """The replicas, which the server returns in a Scale and the engine in the custom resource."""
    paths = case.edition.definition.scale or {}
    path = ["spec", "replicas"] if obj.get("kind") == "Scale" else paths["specReplicasPath"].removeprefix(".").split(".")
    return json_text(lookup(obj, path, 0))
