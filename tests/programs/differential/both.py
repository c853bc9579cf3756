"""Sends the same request to the real server and to the engine, and says whether they agree."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from tests.programs.differential.answers import Answer, of_engine, of_server
from tests.programs.differential.body_text import body_text, repeats_fields
from tests.programs.differential.cases import Case
from tests.programs.differential.connection import Connections
from tests.programs.differential.yaml_text import yaml_text
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionResource, JSONValue, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.manifests import Document, IssueKind, documents
from weighbridge.webhook.texts.json_text import JSONTextError, loads

_CONFIGURATION: Final = Configuration()
_MOST_TIMES: Final = 8
_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")
_HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both answers to a case; `by_chance` says that the server sometimes gives another one."""

    case: Case
    text: str
    theirs: Answer
    ours: Answer
    by_chance: bool = False

    @property
    def agrees(self) -> bool:
        """Whether they are equal."""
        return self.theirs == self.ours


def compare(connections: Connections, facts: Facts, case: Case) -> Comparison:
    """Ask both; the server more than once if its answer differs, since some of its answers depend on chance."""
    text = body_text(case.body) if case.style is None else yaml_text(case.body, case.style)
    body = _read(text) if case.style is None else _read_manifest(text)
    if body is None:
        # Such a body reaches no door as a request, so there are no texts to compare.
        return Comparison(case, text, Answer(ask_server(connections, case, text).code), Answer(400))
    ours = ask_engine(facts, case, body, text)
    if case.in_earnest and ours.code < HTTPStatus.BAD_REQUEST:
        # What would be stored stays a dry run, so that other requests still find what they change.
        case = replace(case, in_earnest=False)
        ours = ask_engine(facts, case, body, text)
    theirs = ask_server(connections, case, text)
    for _ in range(_MOST_TIMES - 1):
        if theirs == ours:
            break
        again = ask_server(connections, case, text)
        if again == ours:
            return Comparison(case, text, again, ours, by_chance=True)
    return Comparison(case, text, theirs, ours)


def _read(text: str) -> JSONValue:
    """The value of a body as a request has it; `None` if a server wouldn't pass it on."""
    # Half a surrogate pair is replaced before.
    whole = _HALF_A_PAIR.sub("\ufffd", json.dumps(json.loads(text), ensure_ascii=False)) if _ESCAPED.search(text) else text
    try:
        return loads(whole.encode())
    except JSONTextError:
        return None


def _read_manifest(text: str) -> JSONValue:
    """The object of a YAML document as `lint` and `dry-run` read it; `None` if they can't."""
    document = _first_document(text)
    return None if any(issue.kind is IssueKind.ERROR for issue in document.issues) else document.value


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _first_document(text: str) -> Document:
    return next(iter(documents("body", text.encode())))


def ask_server(connections: Connections, case: Case, text: str) -> Answer:
    """The real server's answer."""
    edition, options = case.edition, f"?{'' if case.in_earnest else 'dryRun=All&'}fieldValidation={case.validation}"
    if case.stored is None:
        # A manifest that is JSON goes to the server as JSON.
        is_yaml = case.style is not None and not _is_json(text)
        return of_server(case, connections.send("POST", edition.collection + options, text, is_yaml=is_yaml))
    path = f"{edition.collection}/{quote(name_of(case.stored))}{f'/{case.subresource}' if case.subresource else ''}"
    return of_server(case, connections.send("PUT", path + options, text))


def ask_engine(facts: Facts, case: Case, body: JSONValue, text: str) -> Answer:
    """The engine's answer to the same request, with the steps of `dry-run --stage apiserver`; `body` is the value of the text."""
    definition = case.edition.definition
    gvk = definition.gvk
    request = Request(
        uid="1",
        operation=case.operation,
        gvk=gvk,
        object=body,
        old_object=case.stored,
        resource=GroupVersionResource(gvk.group, gvk.version, definition.plural),
        subresource=case.subresource,
        namespace="default" if definition.namespaced else "",
        name=name_of(case.stored) if case.operation is Operation.UPDATE else "",
        dry_run=not case.in_earnest,
        field_validation=case.validation,
    )
    return of_engine(case, _decision(facts, request, text, repeats=repeats_fields(case.body)))


def _decision(facts: Facts, request: Request, text: str, *, repeats: bool) -> Decision:
    duplicates = _first_document(text).duplicate_fields if repeats else []
    return decide(request, facts, _CONFIGURATION, Phase.APISERVER, duplicates=duplicates)
