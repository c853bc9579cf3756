"""OME can't read a setting for the KEDA autoscaler.

If the annotation `ome.io/autoscalerClass` is keda, OME's webhook refuses an operator that KEDA doesn't know, a threshold that isn't a
number, an address of Prometheus without http or https and a host, and unknown authentication modes. It reads `spec.kedaConfig`, and the
KEDA annotations for operator, threshold and address; an empty annotation counts too.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.ome.rulebook import Path, Said, Service, Violation, part, services, text, text_map
from weighbridge.policies.families.ome.subject.sizes import parse_float
from weighbridge.policies.schema.formats.request_uri import is_http_url

_OPERATORS: Final = ("GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual")
_MODES: Final = ("basic", "tls", "bearer", "custom")


@services.error(
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="accepts-an-address-in-capitals",
    bad="refuses-a-threshold-of-words",
)
def check(service: Service) -> Said:
    if service.annotation("autoscalerClass") != "keda":
        return
    settings, annotations = part(service.written, "kedaConfig"), text_map(service.obj, "metadata", "annotations")
    for field, name, judge in _SETTINGS:
        if value := text(settings, field):
            yield from judge(("spec", "kedaConfig", field), value)
        if name in annotations:
            yield from judge(("metadata", "annotations", name), annotations[name])
    for mode in filter(None, (word.strip() for word in text(settings, "authModes").split(","))):
        if mode not in _MODES:
            message = f'"{mode}" isn\'t an authentication mode'
            yield Violation(("spec", "kedaConfig", "authModes"), message, found=mode, expected=", ".join(_MODES))


def _operator(path: Path, value: str) -> Iterator[Violation]:
    if value not in _OPERATORS:
        yield Violation(path, f'"{value}" isn\'t an operator', found=value, expected=", ".join(_OPERATORS))


def _threshold(path: Path, value: str) -> Iterator[Violation]:
    if parse_float(value) is None:
        yield Violation(path, f'"{value}" isn\'t a number', found=value, expected="a number, such as 10")


def _address(path: Path, value: str) -> Iterator[Violation]:
    if not is_http_url(value):
        message = f'"{value}" isn\'t a URL with http or https and a host'
        yield Violation(path, message, found=value, expected="http://HOST:PORT")


#: The field of kedaConfig, the annotation for the same setting, and the check of its value, in OME's order.
_SETTINGS: Final = (
    ("scalingOperator", "autoscaling.keda.sh/operator", _operator),
    ("scalingThreshold", "autoscaling.keda.sh/threshold", _threshold),
    ("promServerAddress", "autoscaling.keda.sh/prometheus.serverAddress", _address),
)
