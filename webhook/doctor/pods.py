"""Checks the pods by their health ports, through the API server: readiness, certificate, facts, configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.doctor.check import Check, ok, problem, unknown
from weighbridge.webhook.doctor.installed import Installed

_SAMPLE: Final = expression(r'(?P<name>weighbridge_[a-z_]+)(?:\{[a-z]+="(?P<label>[^"]*)"\})? (?P<value>\S+)')
#: The most pods that are checked; others run the same program with the same files.
_MOST: Final = 10
#: The answers of an API server that can't reach a pod.
_UNREACHED: Final = frozenset({0, 502, 503, 504})
#: Facts are too old after this time, as for the alert `WeighbridgeFactsStale`.
_STALE_SECONDS: Final = 60.0


async def pods_check(api: KubernetesAPI, installed: Installed) -> Check:
    """The problems of all pods."""
    what, namespace = "what the pods say", installed.namespace
    path = f"/api/v1/namespaces/{namespace}/pods"
    try:
        pods = items(await api.get(path, labelSelector="app.kubernetes.io/name=weighbridge"), "items")
    except APIError as error:
        return unknown(what, str(error), f"run it as a user who may list pods in {namespace}")
    wrong, unasked, hint = [], "", ""
    running = [pod for pod in pods if text(part(pod, "status"), "phase") == "Running"][:_MOST]
    for pod in running:
        try:
            page = await api.text(f"{path}/{name_of(pod)}:{_port(pod)}/proxy/metrics")
        except APIError as error:
            unasked = f"{name_of(pod)}: {error}"
            hint = f"run it as a user who may get pods/proxy in {namespace}"
            if error.status in _UNREACHED:
                # The API server waits half a minute for each pod, and one network policy applies to all pods.
                hint = "let the API server reach the health port, with networkPolicyFrom.health of the chart"
                break
            continue
        wrong += [f"{name_of(pod)}: {fault}" for fault in _faults(page)]
    if wrong:
        return problem(what, "; ".join(wrong), f"kubectl -n {namespace} logs deployment/weighbridge")
    if unasked:
        return unknown(what, unasked, hint)
    if not running:
        return unknown(what, "no pod is running")
    return ok(what, f"{len(running)} asked; certificate, facts and configuration are good")


def _port(pod: JSONObject) -> int:
    ports = [port for container in items(pod, "spec", "containers") for port in items(container, "ports")]
    return next((whole(port, "containerPort") for port in ports if text(port, "name") == "health"), 9080)


def _faults(page: str) -> Iterator[str]:
    unknown_kinds, stale = [], []
    for line in page.splitlines():
        found = _SAMPLE.fullmatch(line)
        if found is None:
            continue
        label, value = found["label"] or "", float(found["value"])
        match found["name"]:
            case "weighbridge_ready" if not value:
                yield "not ready, see its /readyz"
            case "weighbridge_certificate_fault" if value:
                yield f"its certificate is refused by clients ({label})"
            case "weighbridge_configuration_last_reload_successful" if not value:
                yield "the newest configuration can't be used, the one before is in force"
            case "weighbridge_facts_age_seconds" if value > _STALE_SECONDS:
                stale.append(f"{label} ({value:.0f} s)")
            case "weighbridge_facts_known" if not value:
                unknown_kinds.append(label)
    if stale:
        yield f"changes may have gone unseen of {', '.join(stale)}"
    if unknown_kinds:
        yield f"it can't read {', '.join(unknown_kinds)}"
