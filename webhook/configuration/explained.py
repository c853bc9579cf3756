"""Every setting of a configuration with its value and the origin of the value.

The origins are ``default``, a place in the file, the section of a namespace (a place in the file, or the ConfigMap that brought it), and
for the operator's settings what is known of the operator in the cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from weighbridge.policies.config import Configuration, Document, PlacedSection, Ruling
from weighbridge.policies.config.enforcement import Labels
from weighbridge.policies.config.sections import key_of
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import sections
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.operator_settings import CONFIGURATION, UPSTREAM, setting_names
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Reported
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field, lookup
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.configuration.catalogue import with_policies
from weighbridge.webhook.configuration.reader import ReadConfiguration

DEFAULT: Final = "default"
_ABSENT: Final = object()
#: Settings that are printed in a special form.
_RESOLVED: Final = frozenset({"api_version", "kind", "rules", "enforcement", "references", "exceptions", "namespaces", "fill_in"})
#: The part of a family's section about its operator.
_OF_OPERATOR: Final = frozenset({"version", "operator"})
_FILL_IN: Final = ("images", "resource_names", "tolerations")


@dataclass(frozen=True, slots=True)
class Explained(Reported):
    """One setting; its name is its path in the document."""

    setting: str
    value: JSONValue
    origin: str


class ConfigurationExplanation:
    """Explains one configuration; `read` is the file that it was read from, if there is one."""

    def __init__(self, config: Configuration, read: ReadConfiguration | None) -> None:
        self._config = config
        self._read = read
        self._written: JSONValue = read.document.value if read is not None else {}

    def written(self, namespace: str = "") -> Iterator[Explained]:
        """The settings that are written in the file and by namespaces; with `namespace` without the sections of others."""
        for entry in fields(Document):
            if entry.name not in {"api_version", "kind", "namespaces"}:
                told = self._settings((key_of(entry.name),), getattr(self._config, entry.name))
                yield from _set_ones(told)
        for name, section in sections().items():
            yield from _set_ones(self._settings((key_of(name),), self._config.settings_of(section)))
        yield from _set_ones(self._policies())
        for placed in self._sections(namespace):
            yield from self._of_section(placed)

    def effective(self, facts: Facts, namespace: str = "") -> Iterator[Explained]:
        """The settings in force, including defaults: cluster-wide, or in a namespace."""
        config = self._config.within(namespace)
        found = facts.objects.get("", "Namespace", "", namespace)
        yield from self._rules(namespace, None if found is None else text_map(found, "metadata", "labels"))
        yield from self._references(namespace)
        yield from self._exceptions(namespace)
        yield from self._fill_in(namespace)
        for entry in fields(Document):
            if entry.name == "images":
                yield from self._images(config)
            elif entry.name == "tolerations":
                yield from self._tolerations(config)
            elif entry.name not in _RESOLVED:
                yield from self._settings((key_of(entry.name),), getattr(config, entry.name))
        known = {family.name: family for family in families()}
        for name, section in sections().items():
            yield from self._family(known[name], config.settings_of(section), config, facts)

        yield from self._policies()

    # --- one part each ---

    def _policies(self) -> Iterator[Explained]:
        yield from self._settings(("policies",), list(self._config.policies or ()))

    def _rules(self, namespace: str, labels: Labels) -> Iterator[Explained]:
        for rule in with_policies(self._config):
            rulings: dict[Ruling, list[str]] = {}
            for gvk in rule.kinds:
                rulings.setdefault(self._config.ruling(rule.id, rule.severity, gvk, namespace, labels), []).append(gvk.kind)
            for ruling, kinds in rulings.items():
                about = f" ({', '.join(kinds)})" if len(rulings) > 1 else ""
                origin = self._place(ruling.path, ruling.origin) if ruling.path else f"{DEFAULT} ({rule.severity})"
                guarded = " (the namespace's labels aren't known)" if ruling.is_guarded else ""
                yield Explained(f"rules.{rule.id}{about}", str(ruling.action), f"{origin}{guarded}")

    def _references(self, namespace: str) -> Iterator[Explained]:
        value, origin = self._config.references, self._origin(("references",))
        for placed in self._config.sections_of(namespace):
            if placed.section.references is not None and value.is_below(placed.section.references):
                value, origin = placed.section.references, self._place((*placed.prefix, "references"), placed.origin)
        yield Explained("references", str(value), origin)

    def _exceptions(self, namespace: str) -> Iterator[Explained]:
        ended = {index for index, _ in self._config.expired}
        for index, exception in enumerate(self._config.exceptions):
            if not namespace or exception.match.may_be_in(namespace):
                over = " (ended)" if index in ended else ""
                yield Explained(f"exceptions[{index}]{over}", _plain(exception), self._origin(("exceptions", index)))

    def _fill_in(self, namespace: str) -> Iterator[Explained]:
        for name in _FILL_IN:
            path: Path = ("fillIn", key_of(name))
            yield Explained(field(path), _plain(getattr(self._config.fill_in, name)), self._origin(path))
            for placed in self._config.sections_of(namespace):
                allowed = getattr(placed.section.fill_in, name)
                if allowed is not None:
                    yield Explained(f"{field(path)} (and)", allowed, self._place((*placed.prefix, *path), placed.origin))

    def _images(self, config: Configuration) -> Iterator[Explained]:
        yield from self._settings(("images", "mirrors"), config.images.mirrors)
        own = {image: placed for placed in config.narrowed for image in placed.section.images.pins}
        for image, pin in config.images.pins.items():
            path: Path = ("images", "pins", image)
            if image in self._config.images.pins:
                yield Explained(field(path), pin, self._origin(path))
            else:
                yield Explained(field(path), pin, self._place((*own[image].prefix, *path), own[image].origin))
        if not config.images.pins:
            yield Explained("images.pins", {}, DEFAULT)

    def _tolerations(self, config: Configuration) -> Iterator[Explained]:
        for resource, tolerations in config.tolerations.items():
            for index, toleration in enumerate(tolerations):
                path: Path = ("tolerations", resource, index)
                unused = "" if config.fills_in_toleration(toleration.key) else " (not filled in)"
                yield Explained(f"{field(path)}{unused}", _plain(toleration), self._origin(path))
        if not config.tolerations:
            yield Explained("tolerations", {}, DEFAULT)

    def _family(self, family: Family, section: Any, config: Configuration, facts: Facts) -> Iterator[Explained]:
        """A family's section. The operator's settings are those that are known, from the section or from the cluster."""
        key = key_of(family.name)
        operator = family.operator(facts, config) if family.operator is not None else None
        for entry in fields(section):
            if operator is None or entry.name not in _OF_OPERATOR:
                yield from self._settings((key, key_of(entry.name)), getattr(section, entry.name))
        if operator is None:
            return
        for name, setting in zip(setting_names(type(operator)), operator.settings(), strict=True):
            path: Path = (key, "version") if name == "version" else (key, "operator", key_of(name))
            origin = self._origin(path) if setting.origin == CONFIGURATION else setting.origin
            yield Explained(field(path), setting.value, f"{DEFAULT} of the operator" if origin == UPSTREAM else origin)

    def _sections(self, namespace: str) -> Iterator[PlacedSection]:
        named = [*self._config.namespaces, *(placed.namespace for placed in self._config.brought)]
        for name in [namespace] if namespace else dict.fromkeys(named):
            yield from self._config.sections_of(name)

    def _of_section(self, placed: PlacedSection) -> Iterator[Explained]:
        top = field(("namespaces", placed.namespace))
        held = {key: value for key, value in _set(placed.section).items() if key not in {"apiVersion", "kind"}}
        for path, value in _leaves(held):
            yield Explained(f"{top}.{field(path)}", value, self._place((*placed.prefix, *path), placed.origin))

    # --- values and places ---

    def _settings(self, path: Path, value: Any) -> Iterator[Explained]:
        """A setting and those below it, one by one."""
        if is_dataclass(value):
            for entry in fields(value):
                yield from self._settings((*path, key_of(entry.name)), getattr(value, entry.name))
        elif isinstance(value, Mapping) and value:
            for key, held in value.items():
                yield from self._settings((*path, key), held)
        elif isinstance(value, list) and any(map(is_dataclass, value)):
            for index, held in enumerate(value):
                yield Explained(field((*path, index)), _plain(held), self._origin((*path, index)))
        else:
            yield Explained(field(path), _plain(value), self._origin(path))

    def _origin(self, path: Path) -> str:
        return self._place(path, "") if lookup(self._written, path, _ABSENT) is not _ABSENT else DEFAULT

    def _place(self, path: Path, origin: str) -> str:
        if origin or self._read is None:
            return f"{origin} {field(path)}".strip()
        return self._read.place(path)


def _set_ones(settings: Iterable[Explained]) -> Iterator[Explained]:
    return (setting for setting in settings if setting.origin != DEFAULT)


def _plain(value: Any) -> JSONValue:
    """A value as JSON, without parts that aren't set."""
    if is_dataclass(value):
        return _set(value)
    if isinstance(value, Mapping):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, (list, tuple)) else value


def _set(section: Any) -> JSONObject:
    plain = {key_of(entry.name): _plain(getattr(section, entry.name)) for entry in fields(section)}
    return {key: value for key, value in plain.items() if value not in (None, {}, "") and (value != [] or _is_meant(key))}


def _is_meant(key: str) -> bool:
    """Whether an empty list has a meaning: in `fillIn` it allows nothing."""
    return key in {key_of(name) for name in _FILL_IN}


def _leaves(value: JSONValue, path: Path = ()) -> Iterator[tuple[Path, JSONValue]]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield from _leaves(held, (*path, key))
    elif isinstance(value, list) and any(isinstance(held, dict) for held in value):
        for index, held in enumerate(value):
            yield (*path, index), held
    else:
        yield path, value
