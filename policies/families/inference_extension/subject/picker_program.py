"""The endpoint picker as a container runs it, and the pool that its flags name.

Go's `flag` and pflag take ``--pool-name=NAME`` and ``--pool-name NAME``; `flag` takes one dash, too. Pickers with an unknown image aren't
read, since they have other flags. Source: Gateway API Inference Extension v0.5.1, cmd/epp/runner/runner.go (``poolName``); v1.5.0,
cmd/epp/runner/runner.go and pkg/epp/server/options.go; v1.6.0, the light picker ``lwepp``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.ground.fields import items, text, texts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.expansion import environment, escape, expand

#: The last part of the repository of upstream's images, and of llm-d's, which has the same program.
_IMAGES: Final = frozenset({"epp", "lwepp", "llm-d-inference-scheduler"})
_FLAGS: Final = {
    "pool-name": "name",
    "poolName": "name",
    "pool-namespace": "namespace",
    "poolNamespace": "namespace",
    "pool-group": "group",
}
#: The flags that are read, and the flags among them whose values are names.
READ_FLAGS: Final = frozenset(f"--{flag}" for flag in _FLAGS)
NAMING_FLAGS: Final = READ_FLAGS - {"--pool-group"}


@dataclass(frozen=True, slots=True)
class PickerProgram:
    """The pool that a picker's flags name; a missing part, or one that only the running pod knows, is empty."""

    name: str
    namespace: str
    group: str

    def __str__(self) -> str:
        given = (("name", self.name), ("namespace", self.namespace), ("group", self.group))
        return " ".join(f"--pool-{part} {value}" for part, value in given if value)


def program_of(containers: Iterable[JSONObject], namespace: str) -> PickerProgram | None:
    """The picker that one of these containers runs; `None` if none runs a known one."""
    for container in containers:
        if _is_picker(container):
            given = dict(_given(container, namespace))
            return PickerProgram(given.get("name", ""), given.get("namespace", ""), given.get("group", ""))
    return None


def kept_arguments(container: JSONObject, namespace: str) -> JSONObject:
    """The part of a container that is kept for `program_of`: the image of a picker and these flags, with resolved values."""
    if not _is_picker(container):
        return {}
    arguments = [f"--pool-{part}={escape(value)}" for part, value in _given(container, namespace)]
    return {"image": text(container, "image"), "args": arguments}


def _is_picker(container: JSONObject) -> bool:
    repository = text(container, "image").partition("@")[0].rpartition("/")[2].partition(":")[0]
    return repository in _IMAGES


def _given(container: JSONObject, namespace: str) -> Iterator[tuple[str, str]]:
    """The parts of the pool that flags name, in order; the last one counts."""
    variables, is_whole = environment(container, namespace), not items(container, "envFrom")
    written = (*texts(container, "command"), *texts(container, "args"))
    arguments = [expand(argument, variables, is_whole=is_whole) for argument in written]
    for at, argument in enumerate(arguments):
        flag, equals, value = (argument or "").partition("=")
        part = _FLAGS.get(flag.lstrip("-")) if flag.startswith("-") else None
        if part is not None:
            following = arguments[at + 1] if at + 1 < len(arguments) else ""
            yield part, (value if equals else following) or ""
