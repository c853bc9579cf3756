"""Our answers to all cases as texts. The server gives the same: `test_agrees_with_server` asks it.

`python -m tests.acceptance.recording` writes them again. Before you commit the difference, read it and ask the server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.acceptance import cases_definition, cases_rules, cases_schema
from tests.acceptance.answers import Comparable, our_create, our_update
from tests.acceptance.cases_update import UPDATES, Update
from tests.acceptance.definitions import edited
from tests.apiserver.answer_text import RECORDED_BY, answer_text, write_texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import judging

FOLDER: Final = Path(__file__).with_name("recorded")
CREATIONS: Final[dict[str, JSONObject]] = cases_definition.definitions() | cases_schema.definitions() | cases_rules.definitions()


def answer_to_creation(crd: JSONObject) -> str:
    """The answer to a creation."""
    return _text(our_create(crd), crd)


def answer_to_update(update: Update) -> str:
    """The answer to an update of the stored definition."""
    stored = update.stored_form()
    stored["metadata"]["resourceVersion"] = "7"
    body = edited(stored, update.edits)
    return _text(our_update(body, stored, update.subresource), body)


def _text(answer: Comparable, body: JSONValue) -> str:
    return answer_text(answer["code"], answer["message"], answer["causes"], answer["warnings"], body, answer["object"])


def main() -> None:
    """Write the texts of all cases."""
    command = "python -m tests.acceptance.recording"
    with judging(RECORDED_BY):
        write_texts(FOLDER / "creations.md", command, {case: answer_to_creation(crd) for case, crd in CREATIONS.items()})
        write_texts(FOLDER / "updates.md", command, {case: answer_to_update(update) for case, update in UPDATES.items()})


if __name__ == "__main__":
    main()
