"""Our answers to requests with odd bodies as texts. The server gives the same: the tests with a real one ask it.

`python -m tests.apiserver.recording` writes them again. Before you commit the difference, read it and ask the server.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tests.apiserver import random_bodies
from tests.apiserver.answer_text import RECORDED_BY, answer_text, write_texts
from tests.apiserver.nest import NEST_CRD
from tests.apiserver.probe import PROBE_CRD, Answer, send, stored_probe
from tests.apiserver.test_agrees_with_server import BODIES, CHANGES
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.ground.server_release import judging
from weighbridge.webhook.texts.json_text import loads

FOLDER: Final = Path(__file__).with_name("recorded")
#: A case with a long answer that shows little.
_TOO_LONG: Final = "many-unknown-fields"
_KINDS: Final = ("Probe", "Nest")
_DEFINITIONS: Final = Definitions.from_manifests([PROBE_CRD, NEST_CRD])


def cases() -> dict[str, dict[str, Callable[[], str]]]:
    """The function that writes the text of each case, by file and case."""
    return {
        "bodies": {
            f"{name}, {validation}": partial(_sent, "Probe", body, None, validation)
            for name, body in BODIES.items()
            if name != _TOO_LONG
            for validation in FieldValidation
        },
        "changes": {
            f"{name}{subresource and ', '}{subresource}": partial(_changed, change, subresource)
            for name, change in CHANGES.items()
            for subresource in ("", "status")
        },
        # The seeds are those of the comparison with the server.
        "drawn_bodies": {
            f"{1000 * seed + number}": partial(_drawn_body, 1000 * seed + number) for seed in range(4) for number in range(60)
        },
        "drawn_updates": {
            f"{_KINDS[seed % 2]} {1000 * seed + number}": partial(_drawn_update, _KINDS[seed % 2], 1000 * seed + number)
            for seed in range(4)
            for number in range(50)
        },
    }


def _definition(kind: str) -> ResourceDefinition:
    found = _DEFINITIONS.get(GroupVersionKind("weighbridge.test", "v1", kind))
    assert found is not None
    return found


def _sent(kind: str, body: JSONValue, old: JSONValue, validation: FieldValidation, subresource: str = "") -> str:
    name = "" if old is None else "a"
    return _text(send(_definition(kind), body, old, validation=validation, subresource=subresource, name=name), body)


def _changed(change: JSONObject, subresource: str) -> str:
    stored = stored_probe(text="x", replicas=1)
    body = stored | change
    body["metadata"] = stored["metadata"] | change.get("metadata", {})
    return _sent("Probe", body, stored, FieldValidation.STRICT, subresource)


def _drawn_body(seed: int) -> str:
    random = Random(seed)
    kind, validation = random.choice(_KINDS), random.choice(list(FieldValidation))
    return _sent(kind, _on_the_wire(random_bodies.body(random, kind)), None, validation)


def _drawn_update(kind: str, seed: int) -> str:
    random = Random(seed)
    stored = stored_probe() | {"kind": kind}
    validation, subresource = random.choice(list(FieldValidation)), random.choice(["", "", "status"])
    return _sent(kind, _on_the_wire(random_bodies.update(random, kind, stored)), stored, validation, subresource)


def _on_the_wire(body: JSONObject) -> JSONValue:
    """The body as it arrives, for example with whole floats as integers."""
    return loads(json_text(body).encode())


def _text(answer: Answer, body: JSONValue) -> str:
    causes = sorted((cause.get("reason", ""), cause["field"], cause["message"]) for cause in answer.causes)
    message = answer.message if len(causes) < 2 else answer.message.partition(" is invalid: ")[0]
    return answer_text(answer.code, message, causes, answer.warnings, body, answer.object)


def main() -> None:
    """Write the texts of all cases."""
    for name, texts in cases().items():
        command = "python -m tests.apiserver.recording"
        with judging(RECORDED_BY):
            write_texts(FOLDER / f"{name}.md", command, {case: text() for case, text in texts.items()})


if __name__ == "__main__":
    main()
