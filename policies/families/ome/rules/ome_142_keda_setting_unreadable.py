"""A setting of the KEDA autoscaler can't be read.

OME's webhook refuses an operator that KEDA hasn't, a threshold that is no number, an address of Prometheus without http or https and a
host, and unknown modes of authentication. It looks at `spec.kedaConfig`, and only where the annotation
`ome.io/autoscalerClass` is keda. Here the settings are judged unless that names another autoscaler, since they are meant to be used.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import annotation, service_of
from policies.families.ome.subject.sizes import parse_float
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request

_OPERATORS: Final = ("GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual")
_MODES: Final = ("basic", "tls", "bearer", "custom")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = service_of(request)
    if service is None or annotation(service, "autoscalerClass") not in (None, "keda"):
        return
    given = part(spec_of(service), "kedaConfig")
    path = ("spec", "kedaConfig")
    operator = text(given, "scalingOperator")
    if operator and operator not in _OPERATORS:
        yield RULE.finding((*path, "scalingOperator"), f'"{operator}" is no operator', found=operator, expected=", ".join(_OPERATORS))
    threshold = text(given, "scalingThreshold")
    if threshold and parse_float(threshold) is None:
        yield RULE.finding((*path, "scalingThreshold"), f'"{threshold}" is no number', found=threshold, expected="a number, such as 10")
    address = text(given, "promServerAddress")
    scheme, found, rest = address.partition("://")
    if address and (not found or scheme not in ("http", "https") or not rest.split("/")[0]):
        message = f'"{address}" has no http or https with a host behind it'
        yield RULE.finding((*path, "promServerAddress"), message, found=address, expected="http://HOST:PORT")
    for mode in filter(None, (word.strip() for word in text(given, "authModes").split(","))):
        if mode not in _MODES:
            yield RULE.finding((*path, "authModes"), f'"{mode}" is no mode of authentication', found=mode, expected=", ".join(_MODES))


RULE = Rule(
    id="OME-142",
    name="keda-setting-unreadable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
kedaConfig: {scalingThreshold: "10"}
""",
    bad="""\
model: {name: llama}
engine: {}
kedaConfig: {scalingThreshold: ten}
""",
)
