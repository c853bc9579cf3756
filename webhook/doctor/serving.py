"""What serves: the Deployment's pods, the endpoints, the rights of the ServiceAccount, and whether the API server gets through."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Final

from policies.families import families
from policies.families.family import Family, Rule
from policies.fields import items, part, texts, whole
from policies.findings import Severity
from policies.objects import JSONObject
from webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from webhook.cluster.permissions import cluster_roles
from webhook.doctor.check import Check, ok, problem, unknown
from webhook.doctor.registered import APPLY

_REVIEW: Final = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_AUDIT: Final = "Weighbridge is in mode audit"
_NOT_FOUND: Final = 404


async def serving_checks(api: KubernetesAPI, namespace: str, service: str) -> AsyncIterator[Check]:
    """All of them, for a Service in a namespace."""
    yield await _deployment(api, namespace, service)
    yield await _endpoints(api, namespace, service)
    async for check in _rights(api, namespace, service):
        yield check


async def _deployment(api: KubernetesAPI, namespace: str, name: str) -> Check:
    what = f"Deployment {namespace}/{name}"
    try:
        found = await api.get(f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
    except APIError as error:
        return problem(what, "it isn't there", APPLY) if error.status == _NOT_FOUND else unknown(what, str(error))
    wanted, ready = whole(part(found, "spec"), "replicas", 1), whole(part(found, "status"), "readyReplicas")
    told = f"{ready} of {wanted} replicas are ready"
    if not wanted:
        return problem(what, "it is scaled to none", f"kubectl -n {namespace} scale deployment/{name} --replicas 2")
    if ready < wanted:
        return problem(what, told, f"kubectl -n {namespace} describe pods -l app.kubernetes.io/name=weighbridge")
    return ok(what, told)


async def _endpoints(api: KubernetesAPI, namespace: str, service: str) -> Check:
    what = f"Service {namespace}/{service}"
    try:
        await api.get(f"/api/v1/namespaces/{namespace}/services/{service}")
        path = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
        slices = await api.get(path, labelSelector=f"kubernetes.io/service-name={service}")
    except APIError as error:
        return problem(what, "it isn't there", APPLY) if error.status == _NOT_FOUND else unknown(what, str(error))
    found = [each for piece in items(slices, "items") for each in items(piece, "endpoints")]
    ready = [each for each in found if part(each, "conditions").get("ready") is not False]
    if not ready:
        return problem(what, "it has no ready endpoint", f"kubectl -n {namespace} get endpointslices,pods")
    return ok(what, f"{len(ready)} ready endpoints")


async def _rights(api: KubernetesAPI, namespace: str, account: str) -> AsyncIterator[Check]:
    """Whether the ServiceAccount may read what the rules read; each kind without is not checked by the webhook."""
    what, lacking = f"rights of ServiceAccount {namespace}/{account}", []
    for attributes in _reads():
        spec = {"user": f"system:serviceaccount:{namespace}:{account}", "resourceAttributes": attributes}
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        try:
            answer, _ = await api.ask(_REVIEW, review)
        except APIError as error:
            yield unknown(what, str(error), "run it as somebody who may create subjectaccessreviews")
            return
        if part(answer, "status").get("allowed") is not True:
            lacking.append(f"{attributes['verb']} {'.'.join(filter(None, (attributes['resource'], attributes['group'])))}")
    if lacking:
        yield problem(what, f"it may not {', '.join(lacking)}", "kubectl apply -f deploy/cluster-roles.yaml, and bind what it defines")
    else:
        yield ok(what, "it may read all that the rules read")


def _reads() -> Iterator[Mapping[str, str]]:
    """What the webhook needs at least, one verb at a time."""
    for rule in cluster_roles()[0]["rules"]:
        names = texts(rule, "resourceNames") or ("",)
        for group in texts(rule, "apiGroups"):
            for resource in texts(rule, "resources"):
                for verb in texts(rule, "verbs"):
                    yield from ({"group": group, "resource": resource, "verb": verb, "name": name} for name in names)


async def reached(api: KubernetesAPI) -> Check:
    """Whether the API server asks the webhook about an object that only the webhook refuses; nothing is stored."""
    what = "a call from the API server"
    for family, rule in _probes():
        kind = next(kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
        metadata = {"name": "weighbridge-doctor", "namespace": "default"}
        obj = {"apiVersion": kind.gvk.api_version, "kind": kind.gvk.kind, "metadata": metadata, "spec": _spec(rule)}
        path = f"/apis/{kind.gvk.api_version}/namespaces/default/{kind.plural}"
        try:
            _, warnings = await api.ask(path, obj, dryRun="All")
        except APIError as error:
            if error.status == _NOT_FOUND:
                continue
            return _refused(what, family, str(error))
        if any(_AUDIT in warning for warning in warnings):
            return ok(what, "it was answered; mode audit refuses nothing")
        return problem(what, f"a {kind.gvk.kind} that {rule.id} refuses passed: the webhook wasn't asked, or doesn't judge", APPLY)
    return unknown(what, "the cluster serves no kind of which an object could be tried")


def _refused(what: str, family: Family, message: str) -> Check:
    if f'"{family.validating_webhook()}" denied the request' in message:
        return ok(what, "it was answered: a broken object is refused")
    if "failed calling webhook" in message:
        told = message.partition("failed calling webhook")[2]
        run = "kubectl -n weighbridge-system logs deployment/weighbridge; in an emergency the break-glass command of docs/installation.md"
        return problem(what, f"the API server can't call the webhook{told}", run)
    return unknown(what, message)


def _probes() -> Iterator[tuple[Family, Rule]]:
    """By family a rule that refuses its example, whatever the cluster has."""
    for family in families():
        for rule in family.rules():
            kind = next((kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0]), None)
            stands_alone = not rule.reads and not rule.beside and not rule.mirrors and rule.severity is Severity.ERROR
            if stands_alone and kind is not None and kind.namespaced:
                yield family, rule
                break


def _spec(rule: Rule) -> JSONObject:
    import yaml

    found = yaml.safe_load(rule.bad)
    spec: JSONObject = found["spec"] if isinstance(found, dict) and "spec" in found else found
    return spec
