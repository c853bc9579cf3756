"""The LLMKube operator of a cluster: how its Deployment is found, and its settings as far as they are known.

Source: LLMKube v0.9.19, cmd/main.go; the chart has values of the same names.
"""

from __future__ import annotations

from typing import ClassVar, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.settings import LLMKube, OperatorDefaults
from weighbridge.policies.families.llmkube.versions import known_version
from weighbridge.policies.families.operator_settings import OperatorSettings, Program, flags_of, known_settings
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, fields
from weighbridge.policies.ground.request import Request

#: The cluster's objects that show the operator's settings.
_READ: Final = (("apps", "Deployment"),)
NEWEST: Final[Version] = (0, 9, 19)
_CHART: Final = expression(r"llmkube-v?\d")


def _has_labels(labels: JSONObject) -> bool:
    """Whether these are the labels that the chart and upstream's manifests give the operator's Deployment."""
    if text(labels, "control-plane") != "controller-manager":
        return False
    return text(labels, "app.kubernetes.io/name") == "llmkube" or _CHART.match(text(labels, "helm.sh/chart")) is not None


PROGRAM: Final = Program(
    image="llmkube-controller",
    similar_images=frozenset({"llmkube", "llmkube-operator"}),
    container="manager",
    has_labels=_has_labels,
    labels=("control-plane", "app.kubernetes.io/name", "app.kubernetes.io/version", "helm.sh/chart"),
    flags=flags_of(OperatorDefaults),
)


@dataclass(frozen=True, slots=True)
class KnownOperator(OperatorDefaults, OperatorSettings):
    """The operator's settings as far as they are known."""

    title: ClassVar[str] = "LLMKube"
    program: ClassVar[Program] = PROGRAM

    version: Version = NEWEST


def operator_of(facts: Facts, config: Configuration) -> KnownOperator:
    """The operator that the cluster has, as far as it is known."""
    section, definitions = config.settings_of(LLMKube), facts.definitions

    def read() -> KnownOperator:
        given = {setting.name: getattr(section.operator, setting.name) for setting in fields(OperatorDefaults)}
        return known_settings(KnownOperator, facts, given, version=section.version or "", installed=lambda: known_version(definitions))

    return facts.objects.once(_READ, operator_of, read, by=(section, definitions))


def operator_for(request: Request, facts: Facts, config: Configuration) -> KnownOperator:
    """The operator that the cluster has, looked up once for a request."""
    return request.once(operator_of, lambda: operator_of(facts, config))
