"""Checks whether the API server reaches the webhook, by a dry run of creating an object that only the webhook refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import yaml

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.doctor.check import Check, Health, ok, problem, unknown
from weighbridge.webhook.doctor.installed import Installed
from weighbridge.webhook.doctor.registered import Registered
from weighbridge.webhook.doctor.remedies import look, remedy
from weighbridge.webhook.inputs.rule_examples import examples_of

WHAT: Final = "a call from the API server"
_FAILED: Final = "the API server can't call the webhook"
_AUDIT: Final = "Weighbridge is in mode audit"
#: The API server's own count of calls that failed and let an object pass.
_PASSED: Final = "apiserver_admission_webhook_fail_open_count{"
_NOT_FOUND: Final = 404


async def reached(api: KubernetesAPI, registered: Registered, installed: Installed) -> Check:
    """Whether the API server calls the webhook for an object that only the webhook refuses; nothing is stored."""
    namespace = await _judged_namespace(api, registered.excluded_namespaces)
    if not namespace:
        return unknown(WHAT, "no namespace is left to try an object in: the webhooks are called for none of them")
    before = await _passed(api)
    for family, kind, rule in _probes(installed):
        metadata = {"name": "weighbridge-doctor", "namespace": namespace}
        obj = {"apiVersion": kind.gvk.api_version, "kind": kind.gvk.kind, "metadata": metadata, "spec": _spec(family, kind, rule)}
        try:
            _, warnings = await api.ask(f"/apis/{kind.gvk.api_version}/namespaces/{namespace}/{kind.plural}", obj, dryRun="All")
        except APIError as error:
            if error.status == _NOT_FOUND:
                continue
            found = _refused(family, str(error), registered, installed)
        else:
            found = _let_in(f"kind {kind.gvk.kind} in namespace {namespace}, which {rule.id} refuses,", warnings, installed)
        failed = sorted(await _passed(api) - before)
        # A refusal has the API server's reason. Failures of a webhook with failurePolicy Ignore are only counted.
        is_said = found.health is Health.PROBLEM and _FAILED in found.found
        return _uncalled(", ".join(failed), registered, installed) if failed and not is_said else found
    return unknown(WHAT, "the cluster serves no kind whose objects could be tried")


def _refused(family: Family, message: str, registered: Registered, installed: Installed) -> Check:
    if f'"{family.validating_webhook()}" denied the request' in message:
        return ok(WHAT, "it was answered: a broken object is refused")
    if "failed calling webhook" in message:
        told = message.partition("failed calling webhook")[2]
        meaning, run = remedy(told, registered.url, installed)
        return problem(WHAT, f"{_FAILED}{told}{f'; {meaning}' if meaning else ''}", run)
    return unknown(WHAT, message)


def _let_in(what: str, warnings: list[str], installed: Installed) -> Check:
    if any(_AUDIT in warning for warning in warnings):
        return ok(WHAT, "it was answered; mode audit refuses nothing")
    return problem(WHAT, f"an object of {what} passed: the webhook wasn't asked, or doesn't judge", installed.apply)


def _uncalled(webhooks: str, registered: Registered, installed: Installed) -> Check:
    told = f"the API server couldn't call {webhooks}, and let the object pass, as failurePolicy Ignore says; its own log has the reason"
    return problem(WHAT, told, look(registered.url, installed))


async def _judged_namespace(api: KubernetesAPI, excluded: set[str]) -> str:
    """A namespace for which the webhook is called: `default` if possible; empty if there is none."""
    if "default" not in excluded:
        return "default"
    try:
        found = items(await api.get("/api/v1/namespaces", limit=100), "items")
    except APIError:
        return ""
    return next((name_of(each) for each in found if name_of(each) not in excluded and "deletionTimestamp" not in each["metadata"]), "")


async def _passed(api: KubernetesAPI) -> Counter[str]:
    """How often a webhook of ours failed and an object passed, if the API server lets us read that."""
    try:
        page = await api.text("/metrics")
    except APIError:
        return Counter()
    counts: Counter[str] = Counter()
    for line in page.splitlines():
        if line.startswith(_PASSED) and '.weighbridge.dev"' in line:
            counts[line.partition('name="')[2].partition('"')[0]] += int(float(line.rpartition(" ")[2]))
    return counts


def _probes(installed: Installed) -> Iterator[tuple[Family, Kind, Rule]]:
    """For each family a rule that refuses its bad example in any cluster and with any configuration."""
    for family in families():
        for rule in family.rules():
            kind = next((kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0]), None)
            is_refused_anywhere = not rule.reads and not rule.mirrors and rule.severity is Severity.ERROR
            if (
                is_refused_anywhere
                and kind is not None
                and kind.namespaced
                and rule.id not in installed.rules
                and _spec(family, kind, rule)
            ):
                yield family, kind, rule
                break


def _spec(family: Family, kind: Kind, rule: Rule) -> JSONObject:
    """The spec that the rule refuses; empty if the example needs more than the object, or one of another group."""
    found = examples_of(family, rule)
    if found is None or any((*found.bad.texts(), *found.both.texts())):
        return {}
    obj: JSONObject = yaml.safe_load(found.bad.object)
    return part(obj, "spec") if obj.get("apiVersion") == kind.gvk.api_version else {}
