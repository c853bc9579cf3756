"""Checks the serving workload: the Deployment's pods, the endpoints, and the permissions of the ServiceAccount."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import product
from typing import Final

from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.permissions import CERTIFICATES_SECRET, cluster_roles, namespace_role, registering_role
from weighbridge.webhook.doctor.check import Check, ok, problem, unknown
from weighbridge.webhook.doctor.installed import Installed
from weighbridge.webhook.installation.workload import WATCH_PODS

_REVIEW: Final = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_NOT_FOUND: Final = 404


async def serving_checks(api: KubernetesAPI, installed: Installed, service: str) -> AsyncIterator[Check]:
    """The checks of the workload, for the Service that is called."""
    yield await _deployment(api, installed, service)
    yield await _endpoints(api, installed, service)
    yield await _rights(api, installed, service)


async def _deployment(api: KubernetesAPI, installed: Installed, name: str) -> Check:
    namespace = installed.namespace
    what = f"Deployment {namespace}/{name}"
    try:
        found = await api.get(f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
    except APIError as error:
        return problem(what, "it isn't there", installed.apply) if error.status == _NOT_FOUND else unknown(what, str(error))
    wanted, ready = whole(part(found, "spec"), "replicas", 1), whole(part(found, "status"), "readyReplicas")
    if not wanted:
        return problem(what, "it is scaled to zero", f"kubectl -n {namespace} scale deployment/{name} --replicas 2")
    stuck = _stuck(found)
    if ready < wanted or stuck:
        told = f"{ready} of {wanted} replicas are ready"
        run = f"kubectl -n {namespace} describe pods -l app.kubernetes.io/name=weighbridge"
        return problem(what, f"{told}, and it gets no further: {stuck}" if stuck else told, run)
    images = ", ".join(text(each, "image") for each in items(found, "spec", "template", "spec", "containers"))
    return ok(what, f"{ready} of {wanted} replicas are ready, of {images}")


def _stuck(deployment: JSONObject) -> str:
    """Why a Deployment makes no progress, from its status; empty if it does."""
    for condition in items(deployment, "status", "conditions"):
        if (text(condition, "type"), text(condition, "status")) in {("ReplicaFailure", "True"), ("Progressing", "False")}:
            return text(condition, "message") or text(condition, "reason")
    return ""


async def _endpoints(api: KubernetesAPI, installed: Installed, service: str) -> Check:
    namespace = installed.namespace
    what = f"Service {namespace}/{service}"
    try:
        await api.get(f"/api/v1/namespaces/{namespace}/services/{service}")
        path = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
        slices = await api.get(path, labelSelector=f"kubernetes.io/service-name={service}")
    except APIError as error:
        return problem(what, "it isn't there", installed.apply) if error.status == _NOT_FOUND else unknown(what, str(error))
    found = [each for piece in items(slices, "items") for each in items(piece, "endpoints")]
    ready = [each for each in found if part(each, "conditions").get("ready") is not False]
    if not ready:
        return problem(what, "it has no ready endpoint", f"kubectl -n {namespace} get endpointslices,pods")
    return ok(what, f"{len(ready)} ready endpoint{'s' if len(ready) > 1 else ''}")


async def _rights(api: KubernetesAPI, installed: Installed, account: str) -> Check:
    """Whether the ServiceAccount has the needed permissions; the webhook doesn't check what it may not read."""
    user = f"system:serviceaccount:{installed.namespace}:{account}"
    what, lacking = f"rights of ServiceAccount {installed.namespace}/{account}", []
    for attributes in _needs(installed, watches_pods=await _watches_pods(api, installed, account)):
        spec = {"user": user, "resourceAttributes": attributes}
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        try:
            answer, _ = await api.ask(_REVIEW, review)
        except APIError as error:
            return unknown(what, str(error), "run it as a user who may create subjectaccessreviews")
        if part(answer, "status").get("allowed") is not True:
            lacking.append(_named(attributes))
    if lacking:
        return problem(what, f"it may not {', '.join(lacking)}", installed.apply)
    return ok(what, "it may read all that the rules read" + (", and keep its certificates" if installed.makes_certificates else ""))


async def _watches_pods(api: KubernetesAPI, installed: Installed, name: str) -> bool:
    """Whether the Deployment's arguments let it follow the cluster's pods."""
    try:
        found = await api.get(f"/apis/apps/v1/namespaces/{installed.namespace}/deployments/{name}")
    except APIError:
        return False
    return any(WATCH_PODS in texts(each, "args") for each in items(found, "spec", "template", "spec", "containers"))


def _needs(installed: Installed, *, watches_pods: bool) -> Iterator[Mapping[str, str]]:
    """The permissions that the webhook needs, one verb at a time; reading the configuration of namespaces is optional."""
    reading, _, _, following = cluster_roles()
    roles = [(reading, ""), *([(following, "")] if watches_pods else ())]
    if installed.makes_certificates:
        roles += [(registering_role(), ""), (namespace_role(CERTIFICATES_SECRET), installed.namespace)]
    for role, namespace in roles:
        for rule in role["rules"]:
            names = texts(rule, "resourceNames") or ("",)
            for group, resource, verb in product(texts(rule, "apiGroups"), texts(rule, "resources"), texts(rule, "verbs")):
                asked = {"group": group, "resource": resource, "verb": verb, "namespace": namespace}
                yield from ({**asked, "name": name} for name in names)


def _named(attributes: Mapping[str, str]) -> str:
    kind, name = ".".join(filter(None, (attributes["resource"], attributes["group"]))), attributes["name"]
    return f"{attributes['verb']} {kind} {name}" if name else f"{attributes['verb']} {kind}"
