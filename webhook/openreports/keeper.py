"""Keeps the reports of a cluster: writes changed ones, and removes those on objects that are gone or have no findings any more.

An earlier result keeps its time, so that a second run over the same cluster writes nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from typing import Final, TypeVar

from weighbridge.policies.facts.document import kind_text
from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.report_forms import FORMS, ReportForm
from weighbridge.webhook.cluster.reports import OtherManagerError, apply, is_installed, remove, reports_with
from weighbridge.webhook.openreports.document import LEFT_OUT, MANAGED_BY, MANAGER
from weighbridge.webhook.texts.errors import InputError

_Result = TypeVar("_Result")
_AT_A_TIME: Final = 4
_FORBIDDEN: Final = 403
#: Fields of our reports, which we remove if they aren't wanted. Other fields and annotations belong to other programs.
_OWN_PARTS: Final = ("configuration",)
_OWN_ANNOTATIONS: Final = (LEFT_OUT,)


@dataclass(slots=True)
class ReportCounts:
    """The numbers of reports that were written, were right already, and were removed."""

    form: ReportForm
    written: int = 0
    same: int = 0
    removed: int = 0

    def __str__(self) -> str:
        return f"reports in {self.form.api_version}: {self.written} written, {self.same} unchanged, {self.removed} removed"


@dataclass(slots=True)
class _Job:
    """A report that has to be written or removed."""

    form: ReportForm
    report: JSONObject
    do: Callable[[], Awaitable[None]]


def installed_form(kubeconfig: str | None, context: str | None) -> ReportForm:
    """The form of reports that the cluster has. Raises InputError if it has none."""

    async def find(api: KubernetesAPI) -> ReportForm:
        for form in FORMS:
            if await is_installed(api, form):
                return form
        wanted = " or ".join(f"{kind.plural}.{form.group} ({form.version})" for form in FORMS for kind in form.kinds[:1])
        raise InputError(
            f"the cluster has no kind of reports: it needs {wanted}, each with its cluster-wide kind;"
            " install the CRDs of https://github.com/openreports/reports-api"
        )

    return asyncio.run(_connected(kubeconfig, context, find))


def keep(
    kubeconfig: str | None, context: str | None, form: ReportForm, reports: Iterable[JSONObject], unread: Collection[str]
) -> ReportCounts:
    """Make these the reports of the cluster. Reports on objects of `unread` kinds are kept. Raises InputError."""
    return asyncio.run(_connected(kubeconfig, context, lambda api: _keep(api, form, reports, unread)))


async def _connected(kubeconfig: str | None, context: str | None, use: Callable[[KubernetesAPI], Awaitable[_Result]]) -> _Result:
    api = await KubernetesAPI.connect(kubeconfig, context)
    try:
        return await use(api)
    except APIError as error:
        raise InputError(_said(error)) from None
    finally:
        await api.close()


def _said(error: APIError) -> str:
    if not error.status:
        return f"the cluster can't be reached: {error}"
    if error.status == _FORBIDDEN and ": User " in str(error):
        return f"the reports can't be kept: {error}; a ClusterRole that may is weighbridge-reports, in deploy/reports.yaml"
    return f"the reports can't be kept: {error}"


async def _keep(api: KubernetesAPI, form: ReportForm, reports: Iterable[JSONObject], unread: Collection[str]) -> ReportCounts:
    outcome = ReportCounts(form)
    stored = {(namespace_of(report), name_of(report)): report async for report in _own(api, form)}
    jobs: list[_Job] = []

    def write(report: JSONObject) -> _Job:
        async def job() -> None:
            # Other threads count while this one waits.
            is_done = await apply(api, form, report)
            outcome.written += is_done

        return _Job(form, report, job)

    def take_away(of: ReportForm, report: JSONObject) -> _Job:
        async def job() -> None:
            is_done = await remove(api, of, report)
            outcome.removed += is_done

        return _Job(of, report, job)

    for report in reports:
        before = stored.pop((namespace_of(report), name_of(report)), None)
        wanted = report if before is None else _with_times_of(before, report)
        if before is not None and _is_same(before, wanted):
            outcome.same += 1
        else:
            jobs.append(write(wanted))
    jobs += [take_away(form, report) for report in stored.values() if _scope(report) not in unread]
    # Another form may have been written before this one was installed.
    for other in FORMS:
        if other is not form and await is_installed(api, other):
            jobs += [take_away(other, report) async for report in _own(api, other) if _scope(report) not in unread]
    failures = await _all(jobs)
    if failures:
        first, *others = sorted(failures)
        raise InputError(first + (f" (and {len(others)} more)" if others else ""))
    return outcome


async def _own(api: KubernetesAPI, form: ReportForm) -> AsyncIterator[JSONObject]:
    for kind in form.kinds:
        async for report in reports_with(api, form, kind, f"{MANAGED_BY}={MANAGER}"):
            yield report


async def _all(jobs: Iterable[_Job]) -> list[str]:
    """Do all jobs, a few at a time. Returns the failures of single reports. Raises APIError if the cluster doesn't answer."""
    waiting, failures = iter(jobs), list[str]()

    async def work() -> None:
        for job in waiting:
            try:
                await job.do()
            except OtherManagerError as error:
                failures.append(_conflict(job, error))
            except APIError as error:
                if not error.status:
                    raise
                failures.append(_said(error))

    for result in await asyncio.gather(*(work() for _ in range(_AT_A_TIME)), return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
    return failures


def _conflict(job: _Job, error: OtherManagerError) -> str:
    """The message about a report that another manager has changed, and what to do."""
    namespace, name = namespace_of(job.report), name_of(job.report)
    kind = job.form.of(namespace)
    where = f" -n {namespace}" if namespace else ""
    said = " ".join(str(error).partition("Apply failed with ")[2].split())
    shown = f"{namespace}/{name}" if namespace else name
    again = f"kubectl delete {kind.plural}.{job.form.group}{where} {name}"
    return f"{kind.kind} {shown} was changed by something else: {said}; remove it, and the next run writes it anew: {again}"


def _scope(report: JSONObject) -> str:
    """The kind of a report's object."""
    scope = report.get("scope")
    return kind_text((text(scope, "apiVersion").rpartition("/")[0], text(scope, "kind")))


def _with_times_of(before: JSONObject, report: JSONObject) -> JSONObject:
    """The report, in which earlier results have their earlier times."""
    times = {_without_time(result): result.get("timestamp") for result in items(before, "results")}
    results = [{**result, "timestamp": times.get(_without_time(result)) or result["timestamp"]} for result in report["results"]]
    return {**report, "results": results}


def _without_time(result: JSONObject) -> str:
    return json.dumps({key: value for key, value in result.items() if key != "timestamp"}, sort_keys=True)


def _is_same(before: JSONObject, report: JSONObject) -> bool:
    """Whether the stored report has all that is wanted, and nothing else of ours."""
    had, has = metadata_of(before), metadata_of(report)
    return (
        all(before.get(key) == report.get(key) for key in {*report, *_OWN_PARTS} - {"metadata"})
        and had.get("ownerReferences") == has.get("ownerReferences")
        and all(text_map(had, "annotations").get(key) == text_map(has, "annotations").get(key) for key in _OWN_ANNOTATIONS)
    )
