"""All checks of one installation, in the order in which a fault is best looked for."""

from __future__ import annotations

from datetime import UTC, datetime

from policies.fields import items
from webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from webhook.cluster.registration import API_VERSION, CONFIGURATIONS
from webhook.doctor.check import Check, ok, problem, unknown
from webhook.doctor.registered import APPLY, Registered, registration_checks
from webhook.doctor.serving import reached, serving_checks
from webhook.errors import InputError


async def examine(kubeconfig: str | None, context: str | None, name: str) -> list[Check]:
    """What was found. Raises InputError where the cluster can't be reached at all."""
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
    checks = [ok("the API server", f"Kubernetes {version.get('gitVersion', 'of an unknown version')}")]
    try:
        mutating, validating = [items(await api.get(f"/apis/{API_VERSION}/{plural}"), "items") for plural in CONFIGURATIONS]
    except APIError as error:
        return [*checks, unknown("webhook configurations", str(error), "run it as somebody who may list them")]
    registered = Registered(name, mutating, validating)
    checks += registration_checks(registered, datetime.now(UTC))
    if not registered.own:
        return checks
    if registered.service is None:
        checks.append(ok("Service", "the webhooks are called by URL, outside of the cluster"))
    else:
        checks += [check async for check in serving_checks(api, *registered.service)]
    if "ValidatingWebhookConfiguration" in registered.own:
        checks.append(await reached(api))
    else:
        checks.append(problem("a call from the API server", "no validating webhook is registered", APPLY))
    return checks
