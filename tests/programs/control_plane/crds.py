"""Installing CustomResourceDefinitions into a control plane.

kube-apiserver takes in a definition in three steps, in no fixed order: it serves the resource's path as soon as the names are accepted, it
sets the condition Established, and it lists the kind in the discovery of its group. kubectl needs the last step, and a server that is
restarted on the same data never sets a missing Established. So all three are awaited. `kubectl wait` isn't enough: it gives up on a
definition that is so new that it has no conditions yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from tests.programs.control_plane.plane import READY_SECONDS, ControlPlane
from tests.yaml_documents import read_all

_DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#: The schema of a version as controller-gen writes it: a line with the key, and all lines below that are indented more.
_SCHEMA: Final = re.compile(r"^( *)schema:\n(?:(?:\1 .*)?\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Served:
    """A definition's name, the plural name of its resource, and the paths of its group at which the server lists it, one for each
    version.
    """

    name: str
    plural: str
    groups: tuple[str, ...]

    def is_established(self, definition: bytes) -> bool:
        """Whether the server's JSON of the definition says that it is established."""
        conditions = orjson.loads(definition).get("status", {}).get("conditions") or ()
        return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions)

    def is_discovered(self, resources: bytes) -> bool:
        """Whether the server's JSON of what a version of the group has names the resource."""
        return any(resource["name"] == self.plural for resource in orjson.loads(resources)["resources"])


def install_crds(plane: ControlPlane, *paths: Path, timeout: float = READY_SECONDS) -> list[str]:
    """Applies every definition in the YAML files and returns their names once they are established and served.

    An existing definition is replaced; its new schema may come into force a moment after the return. Raises ValueError for a file that
    holds anything else, and AssertionError when the server refuses a definition or doesn't serve it in time.
    """
    definitions = [definition for path in paths for definition in _definitions(path)]
    files = [f"--filename={path}" for path in paths]
    # Server-side apply, because the annotation of client-side apply may have at most 256 KiB.
    plane.kubectl("apply", "--server-side", "--force-conflicts", *files, check=True)
    wait_until_served(plane, *paths, timeout=timeout)
    return [definition.name for definition in definitions]


def wait_until_served(plane: ControlPlane, *paths: Path, timeout: float = READY_SECONDS) -> None:
    """Returns once every definition in the YAML files is established and served. Raises AssertionError if it takes too long."""
    for path in paths:
        for definition in _definitions(path):
            _wait_until_served(plane, definition, timeout)


def _definitions(path: Path) -> Iterator[Served]:
    """The definitions of a file. Schemas are cut out of the text before, because reading those of all families takes five seconds."""
    for document in read_all(_SCHEMA.sub("", path.read_text(encoding="utf-8"))):
        if document is None:
            continue
        if not isinstance(document, dict) or document.get("kind") != "CustomResourceDefinition":
            raise ValueError(f"{path} holds something other than CustomResourceDefinitions")
        spec = document["spec"]
        versions = [version["name"] for version in spec["versions"] if version["served"]]
        groups = tuple(f"/apis/{spec['group']}/{version}" for version in versions)
        yield Served(document["metadata"]["name"], spec["names"]["plural"], groups)


def _wait_until_served(plane: ControlPlane, definition: Served, timeout: float) -> None:
    try:
        for group in definition.groups:
            plane.wait_until_ok(group, definition.is_discovered, timeout=timeout)
            plane.wait_until_ok(f"{group}/{definition.plural}", timeout=timeout)
        plane.wait_until_ok(f"{_DEFINITIONS}/{definition.name}", definition.is_established, timeout=timeout)
    except TimeoutError as error:
        status = plane.kubectl("get", "crd", definition.name, "-o", "jsonpath={.status.conditions}", check=True).stdout
        raise AssertionError(f"{definition.name}: {error}; its conditions: {status}") from error
