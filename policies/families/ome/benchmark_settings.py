"""OME's settings for benchmarks in a cluster: the image and the resources of their pods, which it reads from a ConfigMap for each job.

Source: OME v0.1.5, pkg/controller/v1beta1/controllerconfig/configmap.go, NewBenchmarkJobConfig; config/configmap/benchmarkjob.yaml.
"""

from __future__ import annotations

import json
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.operator_settings import UPSTREAM
from weighbridge.policies.families.prediction import Setting
from weighbridge.policies.ground.fields import amount, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass

NAMESPACE: Final = "ome"
CONFIG: Final = "benchmarkjob-config"
#: The key of the ConfigMap that has the settings.
KEY: Final = "benchmarkjob"
_CONFIG_MAP: Final = f"ConfigMap/{CONFIG}"
_ORIGIN: Final = f"ConfigMap {NAMESPACE}/{CONFIG}"
_QUANTITIES: Final = ("cpuRequest", "memoryRequest", "cpuLimit", "memoryLimit")
#: The settings that upstream's kustomization installs.
_DEFAULT: Final = {"image": "ghcr.io/sgl-project/genai-bench:0.1.113", **dict(zip(_QUANTITIES, ("2", "2Gi", "2", "2Gi"), strict=True))}


@dataclass(frozen=True, slots=True)
class PodSettings:
    """The settings of benchmark pods with their origin; `trouble` says why OME can't use them."""

    values: dict[str, str]
    origin: str
    trouble: str = ""

    @property
    def image(self) -> str:
        """The image of genai-bench."""
        return self.values["image"]

    @property
    def resources(self) -> JSONObject:
        """The resources of the container."""
        return {
            f"{kind.lower()}s": {"cpu": self._amount(f"cpu{kind}"), "memory": self._amount(f"memory{kind}")}
            for kind in ("Limit", "Request")
        }

    def settings(self) -> list[Setting]:
        """The settings as a prediction lists them."""
        return [Setting(name, value, self.origin) for name, value in self.values.items()]

    def _amount(self, name: str) -> str:
        return str(amount(self.values[name]) or "")


def pod_settings(facts: Facts) -> PodSettings:
    """The settings of a cluster; those of upstream's installation if the ConfigMap isn't known, or doesn't exist yet."""
    found = next(iter(facts.objects.list("", _CONFIG_MAP)), None)
    return _read(found) if isinstance(found, dict) else PodSettings(_DEFAULT, UPSTREAM)


def keep(obj: JSONObject) -> JSONObject | None:
    """The part of a ConfigMap that is kept: the settings of OME's; nothing of any other."""
    if name_of(obj) != CONFIG:
        return None
    data = part(obj, "data")
    return {**obj, "data": {KEY: data[KEY]} if KEY in data else {}, "binaryData": {}}


def _read(found: JSONObject) -> PodSettings:
    data = part(found, "data")
    try:
        config = json.loads(text(data, KEY)) if KEY in data else {}
    except ValueError:
        config = None
    given = part(config, "podConfig")
    values = {name: text(given, name) for name in _DEFAULT}
    if not isinstance(config, dict) or any(not isinstance(given.get(name, ""), str) for name in _DEFAULT):
        return PodSettings(values, _ORIGIN, f"{_ORIGIN} can't be read: {KEY} isn't the JSON that OME expects")
    for name in _QUANTITIES:
        if amount(values[name]) is None:
            return PodSettings(values, _ORIGIN, f'panic: {_ORIGIN} has the {name} "{values[name]}", which isn\'t a quantity')
    return PodSettings(values, _ORIGIN)
