"""A real kube-apiserver and ours give the same answers to definitions: status, text, causes, warnings and stored definition."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.acceptance import cases_definition, cases_rules, cases_schema
from tests.acceptance.answers import Client, Comparable, our_create, our_update, put
from tests.acceptance.cases_update import UPDATES, Update
from tests.acceptance.corpus import corpus_definitions
from tests.acceptance.definitions import edited
from tests.acceptance.mutations import mutated
from tests.acceptance.storage import Storage
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.objects import FieldValidation, JSONObject
from weighbridge.policies.schema.go_values import deep_copy

pytestmark = pytest.mark.control_plane

CREATIONS = cases_definition.definitions() | cases_schema.definitions() | cases_rules.definitions()
_MUTATIONS = 300
#: How often the server is asked before its answer counts as different.
_ANSWERS = 8
#: With larger schemas only a few definitions could be compared in the same time.
_LARGEST_MUTATED = 60_000


@pytest.fixture(scope="module")
def client(control_plane: ControlPlane) -> Iterator[Client]:
    """A client of the server."""
    with closing(Client(control_plane)) as opened:
        yield opened


@pytest.fixture
def storage(control_plane: ControlPlane, client: Client) -> Iterator[Storage]:
    """The server's store, emptied of what a test puts there."""
    used = Storage(control_plane._layout.etcd_url, client)
    yield used
    used.remove_all()


def _their_create(client: Client, crd: JSONObject, validation: FieldValidation, ours: Comparable) -> Comparable | None:
    """The server's answer. If it walks a map and stops at the first error, it has several answers, and is asked until one equals ours."""
    for _ in range(_ANSWERS):
        answer = client.try_to_create(crd, validation)
        if answer in (ours, None):
            break
    return answer


@pytest.mark.parametrize("crd", CREATIONS.values(), ids=CREATIONS.keys())
def test_creations_get_the_same_answer(client: Client, crd: JSONObject) -> None:
    before = deep_copy(crd)
    ours = our_create(crd)
    assert ours == _their_create(client, crd, FieldValidation.STRICT, ours)
    assert crd == before, "a request's object stays as it was"


@pytest.mark.parametrize("validation", [FieldValidation.WARN, FieldValidation.IGNORE])
@pytest.mark.parametrize("name", [name for name in CREATIONS if name.startswith("unfit-")])
def test_unfit_bodies_get_the_same_answer_with_lenient_validation(client: Client, name: str, validation: FieldValidation) -> None:
    if name == "unfit-many-unknown" and validation is FieldValidation.WARN:
        pytest.skip("Python's client takes no more than a hundred headers")
    ours = our_create(CREATIONS[name], validation)
    assert ours == _their_create(client, CREATIONS[name], validation, ours)


@pytest.mark.parametrize("update", UPDATES.values(), ids=UPDATES.keys())
def test_updates_get_the_same_answer(client: Client, storage: Storage, update: Update) -> None:
    # A controller of the server may write between our read and our write, so the object is read again.
    for _ in range(5):
        stored = storage.put(update.stored_form())
        body = edited(stored, update.edits)
        answer = put(client, stored["metadata"]["name"], body, update.subresource)
        if answer["code"] != 409 or update.conflicts:
            break
    assert our_update(body, stored, update.subresource) == answer


def test_upstream_definitions_get_the_same_answer(client: Client, shared: Path) -> None:
    found = corpus_definitions(shared)
    assert len(found) == 57
    assert [name for name, crd in found if our_create(crd) != client.create(crd)] == []


def test_mutated_definitions_get_the_same_answer(client: Client, shared: Path) -> None:
    bases = [*CREATIONS.values(), *(crd for _, crd in corpus_definitions(shared, largest=_LARGEST_MUTATED) for _ in range(8))]
    wrong, unanswered = [], 0
    for seed in range(_MUTATIONS):
        crd = mutated(random.Random(seed).choice(bases), seed)
        ours = our_create(crd, FieldValidation.IGNORE)
        answer = _their_create(client, crd, FieldValidation.IGNORE, ours)
        unanswered += answer is None
        if answer not in (ours, None):
            wrong.append(seed)
    assert wrong == []
    assert unanswered < _MUTATIONS // 50, "a server that answers nothing can't be compared"
