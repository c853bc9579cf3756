"""The fields of a service that win over its runtime configs: its route, its storage, its environment.

Its gateway replaces the config's as a whole. kaiwo joins the annotations of both, and takes the service's headroom unless it caches the
model. aim-engine reads neither from the service, and merges the service's variables over the config's.

Source: kaiwo dbca1b55, internal/controller/aim/routingconfig/resolve.go and shared/storage.go; aim-engine v0.2.1, internal/aimservice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from weighbridge.policies.families.aim.predictions.config_merge import Values, leaves
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig
from weighbridge.policies.families.aim.predictions.environment import merge_environment
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Merged, PredictedValue
from weighbridge.policies.ground.fields import flag, items, part, text, text_map
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, field, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True)
class ServiceConfig:
    """The runtime configs of a service with what the service itself sets."""

    service: JSONObject
    config: RuntimeConfig

    @property
    def owner(self) -> str:
        """The service by kind, namespace and name."""
        return f"AIMService {namespace_of(self.service)}/{name_of(self.service)}"

    @property
    def title(self) -> str:
        """The layers, the upper one last."""
        return " under ".join(filter(None, (self.config.title, self.owner if self._own else "")))

    @cached_property
    def _own(self) -> JSONObject:
        """The part of the service's spec that is merged over the configs, in the form of a config's spec."""
        spec, deep = spec_of(self.service), self.config.dialect.is_aim_engine
        routing = dict(part(spec, "routing"))
        if deep:
            routing.pop("annotations", None)
        own: JSONObject = {key: value for key, value in routing.items() if value not in (None, "", {}) or (deep and key == "pathTemplate")}
        out: JSONObject = {"routing": own} if own else {}
        if deep:
            storage = part(spec, "storage").get("defaultStorageClassName")
            out |= {"storage": {"defaultStorageClassName": storage}} if isinstance(storage, str) else {}
            return out | _given("env", items(spec, "env"))
        # The claims of model caches have the headroom of the configs.
        headroom = None if flag(spec, "cacheModel") else spec.get("pvcHeadroomPercent")
        out |= _given("defaultStorageClassName", text(spec, "defaultStorageClassName"))
        return out | ({"pvcHeadroomPercent": headroom} if isinstance(headroom, int) else {})

    @cached_property
    def spec(self) -> JSONObject:
        """The spec that applies to the service."""
        base, own = self.config.spec, self._own
        out = {**base, **{key: value for key, value in own.items() if key not in ("routing", "storage", "env")}}
        for name in ("routing", "storage"):
            if name in own:
                out[name] = {**part(base, name), **own[name]}
        annotations = text_map(base, "routing", "annotations") | text_map(own, "routing", "annotations")
        if annotations:
            out["routing"] = {**part(out, "routing"), "annotations": annotations}
        env = merge_environment(items(base, "env"), items(own, "env"))
        return {**out, "env": env} if env else out

    @property
    def merged(self) -> Merged | None:
        """The merged configuration; `None` if neither a config nor the service sets anything."""
        return Merged(f"runtime config: {self.title}", self.config.object, self.spec) if self.title else None

    def values(self) -> Iterator[PredictedValue]:
        """Every field that applies, with the object that it comes from and the value that it overrides."""
        below = {value.field: value for value in self.config.values()}
        own = Values(self._own)
        for path, value in leaves(self.spec):
            name = field(("spec", *path))
            other = below.get(name)
            if own.at(path) is None and other is not None:
                yield other
                continue
            owner = other.source.removesuffix(name).rstrip(" ,") if other is not None else ""
            reason = f"overrides: {owner} has {json_text(other.value)}" if other is not None and other.value != value else ""
            yield PredictedValue(self.config.object, name, value, f"{self.owner} {name}", reason)


def _given(key: str, value: str | list[JSONObject]) -> JSONObject:
    return {key: value} if value else {}
