"""All checks of one installation, in the best order to look for a fault."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.registration import API_VERSION, CONFIGURATIONS, DEFAULT_NAMESPACE
from weighbridge.webhook.doctor.check import Check, ok, problem, unknown
from weighbridge.webhook.doctor.handshake import handshakes
from weighbridge.webhook.doctor.installed import how_installed
from weighbridge.webhook.doctor.pods import pods_check
from weighbridge.webhook.doctor.reachability import WHAT, reached
from weighbridge.webhook.doctor.registered import Registered, registration_checks
from weighbridge.webhook.doctor.workload import serving_checks
from weighbridge.webhook.texts.errors import InputError

#: The oldest supported version, as in the chart's kubeVersion.
OLDEST: Final = 1, 33
_MINOR: Final = expression(r"v?(\d+)\.(\d+)")


async def examine(kubeconfig: str | None, context: str | None, name: str) -> list[Check]:
    """The results of all checks. Raises InputError if the cluster can't be reached."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    try:
        return await _examined(api, name)
    finally:
        await api.close()


async def _examined(api: KubernetesAPI, name: str) -> list[Check]:
    try:
        version = await api.get("/version")
    except APIError as error:
        if not error.status:
            raise InputError(f"the cluster can't be reached: {error}") from None
        return [unknown("the API server", str(error))]
    checks = [_version(version)]
    try:
        mutating, validating = [items(await api.get(f"/apis/{API_VERSION}/{plural}"), "items") for plural in CONFIGURATIONS]
    except APIError as error:
        return [*checks, unknown("webhook configurations", str(error), "run it as a user who may list them")]
    registered = Registered(name, mutating, validating)
    namespace, service = registered.service or (DEFAULT_NAMESPACE, "")
    installed = await how_installed(api, namespace, registered.own.values())
    checks += registration_checks(registered, installed, datetime.now(UTC))
    if not registered.own:
        return checks
    if not service:
        checks.append(ok("Service", "the webhooks are called by URL, outside of the cluster"))
        checks += await handshakes(registered, installed)
    else:
        checks += [check async for check in serving_checks(api, installed, service)]
        checks.append(await pods_check(api, installed))
    if "ValidatingWebhookConfiguration" in registered.own:
        checks.append(await reached(api, registered, installed))
    else:
        checks.append(problem(WHAT, "no validating webhook is registered", installed.apply))
    return checks


def _version(version: JSONObject) -> Check:
    what, told = "the API server", text(version, "gitVersion") or "of an unknown version"
    found = _MINOR.match(told)
    if found and (int(found[1]), int(found[2])) < OLDEST:
        return problem(what, f"Kubernetes {told} is older than {'.'.join(map(str, OLDEST))}", "upgrade the control plane")
    return ok(what, f"Kubernetes {told}")
