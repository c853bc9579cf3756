"""Requests that the engine once answered differently: the recorded answer is still the real server's, and now also ours."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from tests.programs.control_plane.build import RELEASE_VARIABLE
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential import stage
from tests.programs.differential.answers import Answer
from tests.programs.differential.body_text import body_text
from tests.programs.differential.both import ask_engine
from tests.programs.differential.connection import Connections
from tests.programs.differential.found import Found, crds, found
from tests.programs.differential.resources import Edition, editions
from tests.programs.differential.run import Scene
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.policies.ground.server_release import USUAL, nearest
from weighbridge.webhook.texts.json_text import loads

FOUND = found()
every_one = pytest.mark.parametrize("one", FOUND, ids=[one.name.replace(" ", "-") for one in FOUND])
#: The metadata of an object that a server has stored.
METADATA: JSONObject = {
    "name": "stored",
    "uid": "11111111-1111-1111-1111-111111111111",
    "resourceVersion": "42",
    "generation": 1,
    "creationTimestamp": "2026-01-01T00:00:00Z",
}


@pytest.fixture(scope="module")
def facts() -> Facts:
    """The engine's facts: the CRDs made for tests."""
    return Facts(Definitions.from_manifests([crd.manifest for crd in crds()]))


@pytest.fixture(scope="module")
def scene(control_plane: ControlPlane, facts: Facts) -> Iterator[tuple[Scene, dict[str, JSONObject | None]]]:
    """A server with the CRDs, and the objects that it has stored, by the name of the request that changes them."""
    served = {one.name: one.edition() for one in FOUND}
    bodies = {one.name: one.stored_body() for one in FOUND}
    names = {}
    with Connections(control_plane) as connections:
        stage.install(connections, crds())
        for number, (name, body) in enumerate(bodies.items()):
            if body is not None:
                names[name] = stage.store(connections, served[name], [body], f"found-{number}")
        stage.narrow(connections, crds(), [edition for crd in crds() for edition in editions(crd)])
        stored = {name: stage.fetch(connections, served[name], names_of[0]) for name, names_of in names.items()}
        yield Scene(connections, facts, []), stored
    control_plane.kubectl("delete", "crd", *(crd.name for crd in crds()), check=True)


def assert_recorded(answer: Answer, recorded: JSONObject) -> None:
    """The answer is the recorded one, which may lack the text of a 422 and most of the object."""
    assert answer.code == recorded["code"]
    assert answer.causes == tuple(tuple(cause) for cause in recorded.get("causes", ()))
    assert answer.warnings == tuple(recorded.get("warnings", ()))
    if "message" in recorded:
        assert answer.message == recorded["message"]
    if "spec" in recorded:
        assert json.loads(answer.object)["spec"] == recorded["spec"]
    if "generation" in recorded:
        assert metadata_of(json.loads(answer.object))["generation"] == recorded["generation"]


def stored_as(one: Found, edition: Edition) -> JSONObject | None:
    body = one.stored_body()
    where = {"namespace": "default"} if edition.definition.namespaced else {}
    return None if body is None else body | {"metadata": METADATA | where}


@every_one
def test_the_engine_answers_as_recorded(facts: Facts, one: Found) -> None:
    edition = one.edition()
    case = one.case(edition, stored_as(one, edition))
    text = body_text(case.body)
    assert_recorded(ask_engine(facts, case, loads(text.encode()), text), one.answer)


@pytest.mark.control_plane
@every_one
@pytest.mark.skipif(
    bool(os.environ.get(RELEASE_VARIABLE)) and nearest(os.environ[RELEASE_VARIABLE]) is not USUAL,
    reason="the answers are recorded of the usual release",
)
def test_the_server_answers_as_recorded(scene: tuple[Scene, dict[str, JSONObject | None]], one: Found) -> None:
    stage_of_all, stored = scene
    comparison = stage_of_all.compare(one.case(one.edition(), stored.get(one.name)))
    assert_recorded(comparison.theirs, one.answer)
    assert comparison.ours == comparison.theirs
