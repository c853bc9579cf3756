"""The settings of an operator: its version and its flags, each with its origin.

The configuration wins over the flags of the operator's Deployment, which win over upstream's defaults. If neither names the version, the
installed CRDs show it. A family says how its operator is recognised and which flags it has. Other flags are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, TypeVar, cast, overload

from weighbridge.policies.config.sections import shape_of
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.prediction import Setting
from weighbridge.policies.families.upstream_versions import Version, parse_version
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, fields
from weighbridge.policies.pods.expansion import environment, escape, expand

UPSTREAM: Final = "upstream default"
CONFIGURATION: Final = "configuration"
INSTALLED: Final = "installed CRDs"
_DEPLOYMENT: Final = "Deployment "
#: The end of a tag, after its version: a platform, a build, a candidate.
_TAG_SUFFIX: Final = expression(r"[-_+].*")
_Settings = TypeVar("_Settings", bound="OperatorSettings")

# --- the values of flags; `None` if the operator wouldn't take the value ---


def as_text(value: str) -> JSONValue:
    """The value as it is written."""
    return value


def as_map(value: str) -> JSONValue:
    """``a=1,b=2``."""
    return {key.strip(): held.strip() for key, _, held in (entry.partition("=") for entry in _entries(value))}


def as_list(value: str) -> JSONValue:
    """``a,b``."""
    return tuple(_entries(value))


def as_number(value: str) -> JSONValue:
    """A whole number."""
    return int(value) if re.fullmatch(r"-?\d+", value) else None


def as_switch(value: str) -> JSONValue:
    """A switch; a flag without a value turns it on."""
    return value.lower() in {"true", "t", "1"}


def _entries(value: str) -> list[str]:
    return [entry.strip() for entry in value.split(",") if entry.strip()]


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of an operator (``--runtime-images``) or an environment variable of it, and how its value is read."""

    name: str
    read: Callable[[str], JSONValue] = as_text


_READERS: Final[Mapping[Any, Callable[[str], JSONValue]]] = {
    dict[str, str]: as_map,
    list[str]: as_list,
    int: as_number,
    bool: as_switch,
}


def flags_of(settings: type[Any]) -> Mapping[str, Flag]:
    """The flags that the fields of a settings dataclass declare, by the names of the fields."""
    named = (entry for entry in fields(settings) if entry.metadata["flag"])
    return {entry.name: Flag(entry.metadata["flag"], _READERS.get(shape_of(entry), as_text)) for entry in named}


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """How the Deployment of an operator is recognised, and its flags by the names of the settings.

    `image` is the last part of the repository of its image, `similar_images` are other names that this part may have. Where a mirror has
    renamed the image, `has_labels` finds the Deployment by its `labels`, and `container` is the name of the container that runs the
    operator.
    """

    image: str
    similar_images: frozenset[str]
    container: str
    has_labels: Callable[[JSONObject], bool]
    labels: tuple[str, ...]
    flags: Mapping[str, Flag]

    def runs_in(self, deployment: JSONObject) -> bool:
        """Whether a Deployment runs the operator."""
        return self._container(deployment) is not None

    def deployment(self, facts: Facts) -> JSONObject | None:
        """The Deployment of the operator, by its image or its labels; remembered, since a cluster has thousands of Deployments."""
        return min(facts.objects.where("apps", "Deployment", self.runs_in, True), key=self._likeness, default=None)

    @property
    def reads(self) -> frozenset[str]:
        """The flags and variables that are read from the Deployment."""
        return frozenset(flag.name for flag in self.flags.values())

    def keep(self, deployment: JSONObject) -> JSONObject | None:
        """The part of a Deployment that is kept: of the operator's the image, the flags and the labels that are known here; `None` for
        others.
        """
        container = self._container(deployment)
        if container is None:
            return None
        kept: JSONObject = {key: container[key] for key in ("name", "image") if key in container}
        # The objects that flags refer to aren't kept, so the flags are kept with the referred values in place.
        namespace = namespace_of(deployment)
        flags, variables = self._known_flags(container, namespace), environment(container, namespace)
        kept["args"] = [f"{self.flags[name].name}={escape(value)}" for name, value in flags]
        kept["env"] = [{"name": name, "value": escape(held)} for name, held in variables.items() if name in self.reads and held is not None]
        labels = _labels(deployment)
        metadata: JSONObject = {"name": name_of(deployment), "namespace": namespace}
        metadata["labels"] = {key: labels[key] for key in self.labels if key in labels}
        spec = {"template": {"spec": {"containers": [kept]}}}
        return {"apiVersion": deployment.get("apiVersion"), "kind": deployment.get("kind"), "metadata": metadata, "spec": spec}

    def stated(self, deployment: JSONObject) -> dict[str, Any]:
        """The settings that a Deployment of the operator gives, including the version."""
        container = self._container(deployment) or {}
        namespace = namespace_of(deployment)
        read = ((name, self.flags[name].read(value)) for name, value in self._known_flags(container, namespace))
        settings: dict[str, Any] = {name: value for name, value in read if value is not None}
        by_variable = {flag.name: name for name, flag in self.flags.items()}
        for variable, held in environment(container, namespace).items():
            setting = by_variable.get(variable)
            if setting is not None and held:
                settings[setting] = self.flags[setting].read(held)
        tag = _repository(text(container, "image"))[1]
        label = text(_labels(deployment), "app.kubernetes.io/version")
        version = parse_version(_TAG_SUFFIX.sub("", tag)) or parse_version(label)
        return settings if version is None else {**settings, "version": version}

    def _known_flags(self, container: JSONObject, namespace: str) -> Iterator[tuple[str, str]]:
        """The settings that flags give, as Go's `flag` package takes them: ``-name=value``, ``--name=value``, ``--name value``.

        The last one of a repeated flag counts. A flag gives no setting if its value refers to something that only the running pod knows.
        """
        by_flag = {flag.name: name for name, flag in self.flags.items()}
        variables, is_whole = environment(container, namespace), not items(container, "envFrom")
        written = (*texts(container, "command"), *texts(container, "args"))
        given = [expand(argument, variables, is_whole=is_whole) for argument in written]
        for index, argument in enumerate(given):
            if argument is None:
                continue
            value: str | None
            dashed, equals, value = argument.partition("=")
            name = by_flag.get(f"--{dashed.lstrip('-')}") if dashed.startswith("-") else None
            if name is None:
                continue
            if not equals:
                following = given[index + 1] if index + 1 < len(given) else ""
                value = "true" if self.flags[name].read is as_switch else following
            if value is not None:
                yield name, value

    def _likeness(self, deployment: JSONObject) -> int:
        """How surely a Deployment is the operator's; the lowest rank is the surest. Other software has images with similar names."""
        name = _repository(text(self._container(deployment) or {}, "image"))[0]
        return 0 if name == self.image else 1 if self.has_labels(_labels(deployment)) else 2

    def _container(self, deployment: JSONObject) -> JSONObject | None:
        """The container that runs the operator: found by its image, or by upstream's labels and names if a mirror has renamed the image."""
        containers = items(deployment, "spec", "template", "spec", "containers")
        names = {self.image, *self.similar_images}
        found = next((found for found in containers if _repository(text(found, "image"))[0] in names), None)
        if found is None and self.has_labels(_labels(deployment)):
            found = next((found for found in containers if text(found, "name") == self.container), None)
        return found


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """The settings of all operators. A family's subclass adds a field for each setting, with upstream's default.

    `origins` has the origin of each setting that isn't upstream's default.
    """

    title: ClassVar[str]
    program: ClassVar[Program]

    version: Version = (0, 0, 0)
    origins: tuple[tuple[str, str], ...] = ()

    def since(self, *version: int) -> bool:
        """Whether the operator behaves as from this version on."""
        return self.version >= version

    def origin(self, name: str) -> str:
        """The origin of a setting."""
        return dict(self.origins).get(name, UPSTREAM)

    @property
    def known_version(self) -> Version | None:
        """The version; `None` if it isn't known, and then the newest is assumed."""
        return self.version if self.origin("version") != UPSTREAM else None

    @property
    def is_version_stated(self) -> bool:
        """Whether the operator's Deployment or the configuration names the version."""
        return self.origin("version") not in (UPSTREAM, INSTALLED)

    @property
    def is_seen(self) -> bool:
        """Whether the operator's Deployment is known and has a setting."""
        return any(origin.startswith(_DEPLOYMENT) for _, origin in self.origins)

    @property
    def name(self) -> str:
        """The version in words: ``LLMKube v0.9.19``."""
        return f"{self.title} v{'.'.join(map(str, self.version))}"

    def settings(self) -> Sequence[Setting]:
        """All settings with their origins. They are built on demand, and only reports use them."""
        return _Listed(self)


def setting_names(operator: type[OperatorSettings]) -> tuple[str, ...]:
    """The names of an operator's settings, in the order of `settings`."""
    return _names_of(cast("Any", operator))


@cache
def _names_of(operator: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(operator) if field.name != "origins")


@dataclass(frozen=True, slots=True)
class _Listed(Sequence[Setting]):
    """The settings of an operator, each built on demand."""

    operator: OperatorSettings

    @overload
    def __getitem__(self, index: int) -> Setting: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Setting]: ...

    def __getitem__(self, index: int | slice) -> Setting | Sequence[Setting]:
        names = setting_names(type(self.operator))[index]
        return self._made(names) if isinstance(names, str) else tuple(map(self._made, names))

    def __len__(self) -> int:
        return len(setting_names(type(self.operator)))

    def _made(self, name: str) -> Setting:
        flag = self.operator.program.flags.get(name)
        return Setting(flag.name if flag is not None else name, _plain(getattr(self.operator, name)), self.operator.origin(name))


def known_settings(
    kind: type[_Settings], facts: Facts, given: Mapping[str, Any], *, version: str, installed: Callable[[], Version | None]
) -> _Settings:
    """The settings of the cluster's operator, as far as they are known.

    `given` and `version` are the settings and the version in the configuration; `installed` finds a version by the installed CRDs.
    """
    settings: dict[str, Any] = {}
    origins: dict[str, str] = {}
    deployment = kind.program.deployment(facts)
    if deployment is not None:
        origin = f"{_DEPLOYMENT}{namespace_of(deployment)}/{name_of(deployment)}"
        _take(settings, origins, kind.program.stated(deployment), origin)
    _take(settings, origins, given, CONFIGURATION)
    named = parse_version(version)
    if named is not None:
        settings["version"], origins["version"] = named, CONFIGURATION
    elif "version" not in settings and (found := installed()) is not None:
        settings["version"], origins["version"] = found, INSTALLED
    return kind(**settings, origins=tuple(sorted(origins.items())))


def _take(settings: dict[str, Any], origins: dict[str, str], found: Mapping[str, Any], origin: str) -> None:
    for name, value in found.items():
        if value is not None:
            settings[name] = tuple(value) if isinstance(value, list) else value
            origins[name] = origin


def _labels(deployment: JSONObject) -> JSONObject:
    return part(deployment, "metadata", "labels")


def _repository(image: str) -> tuple[str, str]:
    """The last part of an image's repository, and its tag."""
    name = image.rpartition("/")[2].partition("@")[0]
    repository, _, tag = name.partition(":")
    return repository, tag


def _plain(value: Any) -> JSONValue:
    if isinstance(value, tuple):
        return "v" + ".".join(map(str, value)) if value and all(isinstance(step, int) for step in value) else list(value)
    return dict(value) if isinstance(value, Mapping) else value
