"""Installing CustomResourceDefinitions into a control plane.

Established is what the definition's status says; that the resource is served follows a moment later, and a test that
creates an object in between gets a 404. So it is the resource that is asked for. `kubectl wait` would not do besides:
it gives up on a definition that is so new that it has no conditions yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.programs.control_plane.plane import READY_SECONDS, ControlPlane
from tests.yaml_documents import read_all

#: The schema of a version as controller-gen writes it: a key of its own line, and all lines below that are indented more.
_SCHEMA: Final = re.compile(r"^( *)schema:\n(?:(?:\1 .*)?\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Served:
    """A definition's name, and the paths at which the server has its resource."""

    name: str
    paths: tuple[str, ...]


def install_crds(plane: ControlPlane, *paths: Path, timeout: float = READY_SECONDS) -> list[str]:
    """Applies every definition in the YAML files and returns their names once they are established and served.

    A definition that is there already is replaced; what is new in its schema then holds a moment after the return.
    Raises ValueError for a file that holds anything else, and AssertionError when the server refuses a definition or
    doesn't serve it in time.
    """
    definitions = [definition for path in paths for definition in _definitions(path)]
    files = [f"--filename={path}" for path in paths]
    # On the server's side: what kubectl notes in an annotation otherwise may be no larger than 256 KiB.
    plane.kubectl("apply", "--server-side", "--force-conflicts", *files, check=True)
    wait_until_served(plane, *paths, timeout=timeout)
    return [definition.name for definition in definitions]


def wait_until_served(plane: ControlPlane, *paths: Path, timeout: float = READY_SECONDS) -> None:
    """Returns once every definition in the YAML files is served. Raises AssertionError when one isn't in time."""
    for path in paths:
        for definition in _definitions(path):
            _wait_until_served(plane, definition, timeout)


def _definitions(path: Path) -> Iterator[Served]:
    """What a file defines. Schemas are left out of the text: reading those of all families takes five seconds."""
    for document in read_all(_SCHEMA.sub("", path.read_text(encoding="utf-8"))):
        if document is None:
            continue
        if not isinstance(document, dict) or document.get("kind") != "CustomResourceDefinition":
            raise ValueError(f"{path} holds something other than CustomResourceDefinitions")
        spec = document["spec"]
        versions = [version["name"] for version in spec["versions"] if version["served"]]
        paths = tuple(f"/apis/{spec['group']}/{version}/{spec['names']['plural']}" for version in versions)
        yield Served(document["metadata"]["name"], paths)


def _wait_until_served(plane: ControlPlane, definition: Served, timeout: float) -> None:
    for path in definition.paths:
        try:
            plane.wait_until_ok(path, timeout=timeout)
        except TimeoutError as error:
            status = plane.kubectl("get", "crd", definition.name, "-o", "jsonpath={.status.conditions}", check=True).stdout
            raise AssertionError(f"{definition.name}: {error}; its conditions: {status}") from error
