"""The runtime configs that apply to an object, and their merged spec.

The operator looks for a name in the object's namespace and in the cluster. If both have it, the two are merged. It doesn't fall back to
`default`; only a config of that name may be missing.

Source: kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go; aim-engine v0.2.1, internal/controller/utils/config.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.storage import HEADROOM
from weighbridge.policies.families.aim.predictions.config_merge import Values, leaves, merged_by_field, merged_deeply, storage_moved
from weighbridge.policies.families.aim.subject.references import configs, find
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Merged, PredictedValue
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field, lookup, name_of
from weighbridge.policies.ground.records import dataclass

DEFAULT: Final = "default"
#: The CRDs' defaults in those maps of a config's spec that the author writes.
CRD_DEFAULTS: Final[Mapping[Path, JSONValue]] = {
    ("storage", "pvcHeadroomPercent"): HEADROOM,
    ("routing", "gatewayRef", "group"): "gateway.networking.k8s.io",
    ("routing", "gatewayRef", "kind"): "Gateway",
    ("labelPropagation", "enabled"): False,
    ("model", "autoDiscovery"): True,
}


@dataclass(frozen=True, slots=True)
class Ignored:
    """A value that a config sets and that doesn't apply: its config and path, the value, and what applies instead (`None`: nothing)."""

    owner: str
    path: Path
    value: JSONValue
    instead: JSONValue


@dataclass(frozen=True)
class RuntimeConfig:
    """The runtime configs of a name; if there is none, `spec` is empty. `unknown` are those that may exist."""

    name: str
    dialect: Dialect
    cluster: JSONObject | None = None
    namespaced: JSONObject | None = None
    unknown: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether the named config doesn't exist."""
        return self.name != DEFAULT and self.cluster is None and self.namespaced is None and not self.unknown

    @property
    def scope(self) -> str:
        """`Merged`, `Namespace` or `Cluster`; empty if there is none."""
        if self.namespaced is not None:
            return "Merged" if self.cluster is not None else "Namespace"
        return "Cluster" if self.cluster is not None else ""

    @cached_property
    def spec(self) -> JSONObject:
        """The spec that applies."""
        cluster, namespaced = spec_of(self.cluster), spec_of(self.namespaced)
        if self.scope == "Merged":
            return (merged_deeply if self.dialect.is_aim_engine else merged_by_field)(cluster, namespaced)
        found = namespaced if self.namespaced is not None else cluster
        return storage_moved(found) if self.dialect.is_aim_engine else found

    @property
    def title(self) -> str:
        """The configs that are merged, the upper one last."""
        return " under ".join(owner_of(found) for found in (self.cluster, self.namespaced) if found is not None)

    @property
    def merged(self) -> Merged | None:
        """The merged configuration; `None` if there is no config."""
        return Merged(f"runtime config: {self.title}", self.object, self.spec) if self.scope else None

    @property
    def object(self) -> str:
        """The name under which reports show the values that apply."""
        return f"RuntimeConfig/{self.name}"

    def values(self) -> Iterator[PredictedValue]:
        """Every field that applies, with the object that it comes from and the value that it overrides."""
        specs = [(owner, Values(spec)) for owner, spec in self._specs()]
        for path, value in leaves(self.spec):
            owners = [(owner, found) for owner, spec in specs if (found := spec.at(path)) is not None]
            source, reason = (self._one(path), "")
            for owner, found in owners:
                if found == value:
                    source = f"{owner} spec.{field(path)}"
            others = [f"{owner} has {_shown(found)}" for owner, found in owners if found != value]
            if others:
                reason = f"overrides: {', '.join(others)}" if not source.startswith("both") else ", ".join(others)
            yield PredictedValue(self.object, field(("spec", *path)), value, source, reason)

    def ignored(self) -> Iterator[Ignored]:
        """The values of the namespace's and the cluster's config that the merge loses."""
        if self.scope != "Merged":
            return
        applied = Values(self.spec)
        (owner, cluster), (other, namespaced) = self._specs()
        own = Values(namespaced)
        for path, value in leaves(namespaced):
            if (instead := applied.at(path)) != value and not _joins(path, value, instead):
                yield Ignored(other, path, value, instead)
        for path, value in leaves(cluster):
            if applied.at(path) is None and own.at(path) is None and not _replaced(path, namespaced, self.dialect):
                yield Ignored(owner, path, value, None)

    def defaulted(self) -> Iterator[tuple[Ignored, JSONValue]]:
        """The values of the cluster's config that are overridden by a default of the namespace's, each with that default."""
        if self.scope != "Merged":
            return
        (owner, cluster), (_, namespaced) = self._specs()
        for path, default in CRD_DEFAULTS.items():
            value = lookup(cluster, path)
            if lookup(namespaced, path) == default == lookup(self.spec, path) and value not in (None, "", default):
                yield Ignored(owner, path, value, default), default

    def reference(self) -> JSONObject | None:
        """The reference that kaiwo writes into `status.resolvedRuntimeConfig`, without the uid."""
        found = self.namespaced or self.cluster
        if found is None:
            return None
        out: JSONObject = {"name": name_of(found), "scope": self.scope, "kind": text(found, "kind")}
        namespace = text(found.get("metadata"), "namespace")
        return {**out, "namespace": namespace} if namespace else out

    def _specs(self) -> list[tuple[str, JSONObject]]:
        """The configs that exist, the cluster's first, with their specs to merge."""
        there = [found for found in (self.cluster, self.namespaced) if found is not None]
        moved = self.dialect.is_aim_engine
        return [(owner_of(found), storage_moved(spec_of(found)) if moved else spec_of(found)) for found in there]

    def _one(self, path: Path) -> str:
        return f"both configs, spec.{field(path)}"


def runtime_config(dialect: Dialect, name: str, namespace: str, facts: Facts, config: Configuration) -> RuntimeConfig:
    """The configs of a name (empty: `default`) for an object of a namespace; an empty namespace means an object of the cluster."""
    name = name or DEFAULT
    namespaced_kind, cluster_kind = configs(dialect.group)
    namespaced = find(namespaced_kind, facts, config, namespace, name) if namespace else None
    cluster = find(cluster_kind, facts, config, "", name)
    unknown = []
    if namespace and namespaced is None and namespaced_kind.is_missing(facts, namespace, name) is None:
        unknown.append(f"AIMRuntimeConfig {namespace}/{name}")
    if cluster is None and cluster_kind.is_missing(facts, "", name) is None:
        unknown.append(f"AIMClusterRuntimeConfig {name}")
    return RuntimeConfig(name, dialect, cluster, namespaced, tuple(unknown))


def owner_of(found: JSONObject) -> str:
    """A config by kind, namespace and name."""
    namespace = text(found.get("metadata"), "namespace")
    return f"{text(found, 'kind')} {namespace}/{name_of(found)}" if namespace else f"{text(found, 'kind')} {name_of(found)}"


def _shown(value: JSONValue) -> str:
    return "a value of its own" if isinstance(value, (dict, list)) else json_text(value)


def _joins(path: Path, value: JSONValue, instead: JSONValue) -> bool:
    """Whether a value is still a part of the result: the engine's arguments are merged, an empty text or list has no effect, and a duration
    may be written in another way.
    """
    if path[-1:] == ("requestTimeout",) and nanoseconds(value) is not None and nanoseconds(value) == nanoseconds(instead):
        return True
    return value in ("", [], {}) or (path[:1] == ("env",) and instead is not None)


def _replaced(path: Path, namespaced: JSONObject, dialect: Dialect) -> bool:
    """Whether a value is gone because the namespace's config replaces its whole map or list, which its author expects."""
    return not dialect.is_aim_engine and path[:2] == ("routing", "gatewayRef") and lookup(namespaced, path[:2]) is not None
