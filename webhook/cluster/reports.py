"""The reports in a cluster: the installed form, the reports of Weighbridge, and how one is written and removed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.report_forms import ReportForm, ReportKind

#: The field manager of reports, which differs from that of certificates.
MANAGER: Final = "weighbridge-audit"
_NOT_FOUND, _FORBIDDEN, _CONFLICT = 404, 403, 409
#: Two audits at once may write the same report; the server asks the later one to try again.
_ATTEMPTS: Final = 5


class OtherManagerError(Exception):
    """Another manager has changed fields of a report; the message names it and the fields."""


async def is_installed(api: KubernetesAPI, form: ReportForm) -> bool:
    """Whether the cluster has both kinds of a form. Raises APIError."""
    try:
        served = {text(resource, "name") for resource in items(await api.get(f"/apis/{form.api_version}"), "resources")}
    except APIError as error:
        if error.status == _NOT_FOUND:
            return False
        raise
    return {kind.plural for kind in form.kinds} <= served


async def reports_with(api: KubernetesAPI, form: ReportForm, kind: ReportKind, label: str) -> AsyncIterator[JSONObject]:
    """The reports of a kind with a label, in all namespaces. Raises APIError."""
    async for page in api.pages(f"/apis/{form.api_version}/{kind.plural}", labelSelector=label):
        for report in page.get("items") or ():
            # The items of a list don't have their kind.
            yield {**report, "apiVersion": form.api_version, "kind": kind.kind}


async def apply(api: KubernetesAPI, form: ReportForm, report: JSONObject) -> bool:
    """Write a report by server-side apply; false if its namespace goes away. Raises APIError and OtherManagerError."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            await api.send("PATCH", _path(form, report), report, fieldManager=MANAGER)
        except APIError as error:
            if _namespace_goes(error):
                return False
            if error.status != _CONFLICT:
                raise
            if _is_of_fields(error):
                raise OtherManagerError(str(error)) from None
            if attempt == _ATTEMPTS:
                raise
        else:
            break
    return True


async def remove(api: KubernetesAPI, form: ReportForm, report: JSONObject) -> bool:
    """Remove a report as it was read; false if it is gone or was written since. Raises APIError."""
    read = metadata_of(report)
    as_read = {"uid": read.get("uid"), "resourceVersion": read.get("resourceVersion")}
    body = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": as_read}
    try:
        await api.send("DELETE", _path(form, report), body)
    except APIError as error:
        if error.status not in {_NOT_FOUND, _CONFLICT}:
            raise
        return False
    return True


def _path(form: ReportForm, report: JSONObject) -> str:
    namespace = namespace_of(report)
    folder = f"namespaces/{namespace}/" if namespace else ""
    return f"/apis/{form.api_version}/{folder}{form.of(namespace).plural}/{name_of(report)}"


def _namespace_goes(error: APIError) -> bool:
    return (error.status == _NOT_FOUND and 'namespaces "' in str(error)) or (
        error.status == _FORBIDDEN and "because it is being terminated" in str(error)
    )


def _is_of_fields(error: APIError) -> bool:
    """Whether fields belong to another manager; else the object was changed at the same time."""
    return "Apply failed with" in str(error)
