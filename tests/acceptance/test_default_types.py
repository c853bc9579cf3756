"""A real kube-apiserver and ours give the same answers to defaults of every kind on nodes of every type and format.

Unlike elsewhere, the server here checks formats that it doesn't know, and treats an int-or-string as untyped.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.acceptance.answers import Client, our_create
from tests.acceptance.definitions import with_root
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.objects import JSONObject, JSONValue

pytestmark = pytest.mark.control_plane

_TYPES: dict[str, JSONObject] = {
    **{name: {"type": name} for name in ("string", "integer", "number", "boolean")},
    "object": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "array": {"type": "array", "items": {"type": "string"}},
    "int-or-string": {"x-kubernetes-int-or-string": True},
}
_FORMATS = ("", "unknown", "int32", "float", "date-time", "byte")
_VALUES: tuple[JSONValue, ...] = ("x", 1, 1.5, 2**40, True, {}, {"a": 1}, [], ["a"], 1e300)


@pytest.fixture(scope="module")
def client(control_plane: ControlPlane) -> Iterator[Client]:
    """A client of the server."""
    with closing(Client(control_plane)) as opened:
        yield opened


@pytest.mark.parametrize("type_name", _TYPES)
def test_defaults_of_the_wrong_kind_get_the_same_answer(client: Client, type_name: str) -> None:
    nodes = {
        f"p{index}": {**_TYPES[type_name], **({"format": format_name} if format_name else {}), "default": value}
        for index, (format_name, value) in enumerate(itertools.product(_FORMATS, _VALUES))
    }
    crd = with_root({"type": "object", "properties": nodes})
    assert our_create(crd)["causes"] == client.create(crd)["causes"]
