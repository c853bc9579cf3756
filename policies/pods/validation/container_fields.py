"""The API server's checks of a container's smaller fields: pulling, termination, resizing, block devices, lifecycle, probes.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateContainerCommon, validateInitContainers, validateLifecycle, validateHandler).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.probes import PROBES, handler_errors, probe_errors
from weighbridge.policies.pods.validation.wordings import NOT_OF_INIT, sleeps_too_long

_WORDS: Final = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
}
_OF_RESIZING: Final = {"resourceName": ("cpu", "memory"), "restartPolicy": ("NotRequired", "RestartContainer")}
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "sleep")
_NOT_OF_INIT: Final = ("lifecycle", *PROBES)
_GRACE: Final = 30


def container_field_errors(
    container: JSONObject, path: str, volumes: Collection[str], *, pod: JSONObject, is_init: bool
) -> Iterator[FieldError]:
    """The errors of these fields of a container of a pod with these volumes."""
    for field, words in _WORDS.items():
        if (word := text(container, field)) and word not in words:
            yield unsupported(f"{path}.{field}", word, words)
    seen = set[str]()
    for policy in items(container, "resizePolicy"):
        for field, words in _OF_RESIZING.items():
            if text(policy, field) not in words:
                yield unsupported(f"{path}.resizePolicy", text(policy, field), words)
        if (name := text(policy, "resourceName")) in seen:
            yield FieldError(ErrorType.DUPLICATE, f"{path}.resizePolicy", name)
        seen.add(name)
    for index, device in enumerate(items(container, "volumeDevices")):
        if (name := text(device, "name")) and name not in volumes:
            yield FieldError(ErrorType.NOT_FOUND, f"{path}.volumeDevices[{index}].name", name)
    yield from life_errors(container, path, pod, is_init=is_init)


def life_errors(container: JSONObject, path: str, pod: JSONObject, *, is_init: bool) -> Iterator[FieldError]:
    """The errors of what a container runs at its start and end, and of its probes. An init container that ends may have neither."""
    if is_init and text(container, "restartPolicy") != "Always":
        for field in _NOT_OF_INIT:
            if isinstance(container.get(field), dict):
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.{field}", detail=NOT_OF_INIT)
        return
    for moment in ("postStart", "preStop"):
        if isinstance(part(container, "lifecycle").get(moment), dict):
            yield from _lifecycle_errors(part(container, "lifecycle", moment), f"{path}.lifecycle.{moment}", pod)
    for kind in PROBES:
        if isinstance(container.get(kind), dict):
            yield from probe_errors(part(container, kind), f"{path}.{kind}", kind)


def _lifecycle_errors(asked: JSONObject, path: str, pod: JSONObject) -> Iterator[FieldError]:
    yield from handler_errors(asked, path, _HANDLERS)
    sleep = asked.get("sleep")
    if isinstance(sleep, dict):
        most = whole(pod, "terminationGracePeriodSeconds", _GRACE)
        if not 0 <= (seconds := whole(sleep, "seconds")) <= most:
            yield FieldError(ErrorType.INVALID, f"{path}.sleep", seconds, sleeps_too_long(most))
