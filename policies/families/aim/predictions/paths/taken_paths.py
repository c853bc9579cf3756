"""Finds the services of a namespace whose route may have a certain path, by an index of the store."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT, runtime_config
from weighbridge.policies.families.aim.predictions.paths.json_path import PathTemplateError, UnreadPathError
from weighbridge.policies.families.aim.predictions.paths.path_template import rendered
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_Result = TypeVar("_Result")
_SERVICE = "AIMService"
_CONFIGS = ("AIMRuntimeConfig", "AIMClusterRuntimeConfig")


@dataclass(slots=True)
class _Peer:
    """A stored service, and its path by the template of a config that was last asked for."""

    service: JSONObject
    dialect: Dialect
    template: str = ""
    path: str = ""

    def path_by(self, template: str) -> str:
        """Its path by a template; empty if it has none."""
        if template != self.template:
            self.template, self.path = template, self._rendered(template)
        return self.path

    def keys(self) -> Iterator[Hashable]:
        """The keys of the service: its path if that follows from the service alone, else the name of its config as well."""
        namespace, spec = namespace_of(self.service), spec_of(self.service)
        if own := text(part(spec, "routing"), "pathTemplate"):
            yield namespace, self._rendered(own)
            return
        yield namespace, f"/{namespace}/{text(metadata_of(self.service), 'uid') or '<uid>'}"
        yield namespace, "", text(spec, "runtimeConfigName") or DEFAULT

    def _rendered(self, template: str) -> str:
        try:
            return rendered(template, self.service, self.dialect)
        except (PathTemplateError, UnreadPathError):
            return ""


def services_at(path: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> Iterator[JSONObject]:
    """The services of a namespace that may have a path. It isn't checked which of them have a route, and at which gateway."""
    for peer in facts.objects.read_where(dialect.group, _SERVICE, _read, _Peer.keys, (namespace, path)):
        yield peer.service
    yield from _by_configs(dialect, namespace, facts, config).get(path, ())


def once_a_run(facts: Facts, config: Configuration, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
    """The result of `work_out`, which is called only once for all objects of a run. It may depend on the facts and the configuration."""
    if not facts.beside.kinds():
        return work_out()
    return facts.beside.once((), key, work_out, by=(facts.objects, facts.definitions, config))


def _by_configs(dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> Mapping[str, Sequence[JSONObject]]:
    """The services of a namespace whose paths follow from configs, by their paths. They are the same for all objects of a run."""
    return once_a_run(facts, config, (_by_configs, dialect.group, namespace), lambda: _worked_out(dialect, namespace, facts, config))


def _worked_out(dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> Mapping[str, Sequence[JSONObject]]:
    group, store = dialect.group, facts.objects
    found: dict[str, list[JSONObject]] = {}
    named = {
        DEFAULT,
        *(name_of(held) for kind in _CONFIGS for held in store.list(group, kind, namespace if kind == _CONFIGS[0] else None)),
    }
    for name in sorted(named):
        template = text(part(runtime_config(dialect, name, namespace, facts, config).spec, "routing"), "pathTemplate")
        if template:
            for peer in store.read_where(group, _SERVICE, _read, _Peer.keys, (namespace, "", name)):
                found.setdefault(peer.path_by(template), []).append(peer.service)
    return found


def _read(obj: JSONObject) -> _Peer:
    gvk = GroupVersionKind.from_object(obj)
    return _Peer(obj, dialect_of(gvk.group if gvk is not None else ""))
