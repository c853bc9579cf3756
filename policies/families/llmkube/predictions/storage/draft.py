"""Puts the storage of a draft model into the pod of the model that it drafts for.

Equal volumes are shared, other volumes of the same name are renamed, and mounts that would collide are moved under /draft. Source: LLMKube
v0.9.19, internal/controller/model_storage.go.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_PREFIX: Final = "draft-"
_MOUNT_PREFIX: Final = "/draft"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a pod finds one model: the path of its file, the folder of its files (empty if it has none), and the containers and volumes
    that provide them.
    """

    model_path: str = ""
    folder: str = ""
    init_containers: tuple[JSONObject, ...] = ()
    volumes: tuple[JSONObject, ...] = ()
    mounts: tuple[JSONObject, ...] = ()


def merged(target: Layout, draft: Layout) -> tuple[Layout, str]:
    """The pod with both models, and the path of the draft in it."""
    renamed: dict[str, str] = {}
    volumes = list(target.volumes)
    for volume in draft.volumes:
        if volume in target.volumes:
            continue
        names = {held["name"] for held in volumes}
        if volume["name"] in names:
            renamed[volume["name"]] = _unused(_PREFIX + volume["name"], names)
        volumes.append(volume | {"name": renamed.get(volume["name"], volume["name"])})
    mounts, moved = _mounts(target, draft, renamed)
    containers = list(target.init_containers)
    for container in draft.init_containers:
        _add_container(containers, container, renamed)
    layout = Layout(target.model_path, target.folder, tuple(containers), tuple(volumes), mounts)
    return layout, _moved(draft.model_path, moved)


def _mounts(target: Layout, draft: Layout, renamed: dict[str, str]) -> tuple[tuple[JSONObject, ...], dict[str, str]]:
    """The mounts of both models, and the new paths of mounts of the draft that were moved."""
    mounts, moved = list(target.mounts), {}
    for mount in draft.mounts:
        own = mount | {"name": renamed.get(mount["name"], mount["name"])}
        place = own["mountPath"]
        if any(held["name"] == own["name"] and held["mountPath"] == place for held in mounts):
            continue
        paths = {held["mountPath"] for held in mounts}
        if place in paths:
            moved[place] = _unused(_MOUNT_PREFIX + place, paths)
        mounts.append(own | {"mountPath": moved.get(place, place)})
    return tuple(mounts), moved


def _add_container(containers: list[JSONObject], container: JSONObject, renamed: dict[str, str]) -> None:
    """Add a container of the draft under an unused name, unless there is one that does the same."""
    own = dict(container)
    if "volumeMounts" in own:
        own["volumeMounts"] = [mount | {"name": renamed.get(mount["name"], mount["name"])} for mount in own["volumeMounts"]]
    if any(held | {"name": ""} == own | {"name": ""} for held in containers):
        return
    containers.append(own | {"name": _unused(_PREFIX + own["name"], {held["name"] for held in containers})})


def _moved(path: str, moved: dict[str, str]) -> str:
    """A path after mounts have been moved; the innermost mount decides."""
    mounts = [place for place in moved if path == place or path.startswith(place + "/")]
    place = max(mounts, key=len, default="")
    return moved[place] + path[len(place) :] if place else path


def _unused(name: str, taken: Container[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    return candidate
