"""The requests with which a cluster's reports are kept up to date, and the handling of answers that a real cluster rarely gives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.cli.test_audit import model
from tests.openreports.test_documents import finding, of
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.report_forms import OPEN_REPORTS, POLICY_REPORTS
from weighbridge.webhook.openreports.keeper import installed_form, keep
from weighbridge.webhook.texts.errors import InputError

_PLURALS = {form.api_version: [kind.plural for kind in form.kinds] for form in (OPEN_REPORTS, POLICY_REPORTS)}
_MODEL = "Model.inference.llmkube.dev"
_GONE = APIError(404, "NotFound", 'namespaces "a" not found')
_GOING = APIError(403, "Forbidden", 'reports "r" is forbidden: unable to create new content in namespace a because it is being terminated')
_RACE = APIError(409, "Conflict", 'Operation cannot be fulfilled on reports "r": the object has been modified')


class Cluster:
    """An API server that holds reports; it answers the first writes with `answers`, and accepts the rest."""

    def __init__(self, *stored: JSONObject, forms: tuple[str, ...] = (OPEN_REPORTS.api_version,)) -> None:
        self.stored = {name_of(report): report for report in stored}
        self.forms = forms
        self.answers: list[APIError] = []
        self.asked: list[str] = []
        self.bodies: list[JSONObject] = []

    async def get(self, path: str, **_: str | int) -> JSONObject:
        self.asked.append(f"GET {path}")
        version = path.removeprefix("/apis/")
        if version not in self.forms:
            raise APIError(404, "NotFound", "the server could not find the requested resource")
        return {"resources": [{"name": plural} for plural in _PLURALS[version]]}

    async def pages(self, path: str, **_: str) -> AsyncIterator[JSONObject]:
        self.asked.append(f"LIST {path}")
        yield {"items": list(self.stored.values()) if path.endswith("/reports") else []}

    async def send(self, method: str, path: str, body: JSONObject, **query: str | int) -> JSONObject:
        self.asked.append(f"{method} {path}")
        self.bodies.append({**body, **query})
        # Other requests are served meanwhile.
        await asyncio.sleep(0)
        if self.answers:
            raise self.answers.pop(0)
        return body

    async def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    found = Cluster()

    async def connect(*_: Any) -> Cluster:
        return found

    monkeypatch.setattr(KubernetesAPI, "connect", connect)
    return found


def report(name: str, namespace: str = "a") -> JSONObject:
    found: JSONObject = of(model(name, "x", namespace), finding())
    return found


def stored(name: str) -> JSONObject:
    """A report as read from the cluster."""
    found = report(name)
    return {**found, "metadata": {**found["metadata"], "uid": "u", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z"}}


def kept(cluster: Cluster, *reports: JSONObject, unread: tuple[str, ...] = ()) -> tuple[int, int, int]:
    outcome = keep(None, None, OPEN_REPORTS, reports, unread)
    return outcome.written, outcome.same, outcome.removed


@pytest.mark.parametrize("number", [1, 300])
def test_what_is_as_it_should_be_costs_no_call(cluster: Cluster, number: int) -> None:
    cluster.stored = {str(at): stored(f"m{at}") for at in range(number)}
    assert kept(cluster, *(report(f"m{at}") for at in range(number))) == (0, number, 0)
    assert cluster.asked == [
        "LIST /apis/openreports.io/v1alpha1/reports",
        "LIST /apis/openreports.io/v1alpha1/clusterreports",
        "GET /apis/wgpolicyk8s.io/v1alpha2",
    ]


def test_all_writes_are_counted(cluster: Cluster) -> None:
    cluster.stored = {f"old{at}": stored(f"old{at}") for at in range(20)}
    assert kept(cluster, *(report(f"m{at}") for at in range(50))) == (50, 0, 20)


def test_a_report_is_applied_at_its_place_by_a_manager_of_its_own(cluster: Cluster) -> None:
    kept(cluster, report("m"), report("wide", namespace=""))
    first, second = (line for line in cluster.asked if line.startswith("PATCH"))
    assert first == f"PATCH /apis/openreports.io/v1alpha1/namespaces/a/reports/{name_of(report('m'))}"
    assert second == f"PATCH /apis/openreports.io/v1alpha1/clusterreports/{name_of(report('wide', ''))}"
    assert {body["fieldManager"] for body in cluster.bodies} == {"weighbridge-audit"}
    assert all("force" not in body for body in cluster.bodies)


@pytest.mark.parametrize(
    "change",
    [
        {"summary": {"pass": 0, "fail": 2, "error": 0, "warn": 0, "skip": 0}},
        {"results": []},
        {"source": "another"},
        {"configuration": {"limits": {"maxResults": 100}}},
        {"metadata": {**stored("m")["metadata"], "annotations": {"weighbridge.dev/results-left-out": "3"}}},
        {"metadata": {**stored("m")["metadata"], "ownerReferences": []}},
    ],
    ids=",".join,
)
def test_what_differs_is_written(cluster: Cluster, change: JSONObject) -> None:
    cluster.stored = {"m": {**stored("m"), **change}}
    assert kept(cluster, report("m")) == (1, 0, 0)


@pytest.mark.parametrize("change", [{"scopeSelector": {}}, {"metadata": {**stored("m")["metadata"], "annotations": {"a": "b"}}}])
def test_what_others_add_is_theirs(cluster: Cluster, change: JSONObject) -> None:
    cluster.stored = {"m": {**stored("m"), **change}}
    assert kept(cluster, report("m")) == (0, 1, 0)


def test_a_report_is_removed_as_it_was_read(cluster: Cluster) -> None:
    cluster.stored = {"m": stored("m")}
    assert kept(cluster) == (0, 0, 1)
    assert cluster.bodies == [{"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": "u", "resourceVersion": "7"}}]
    cluster.answers = [_RACE]
    assert kept(cluster) == (0, 0, 0), "another audit has written it since"


def test_a_report_on_what_could_not_be_read_stays(cluster: Cluster) -> None:
    cluster.stored = {"m": stored("m")}
    assert kept(cluster, unread=(_MODEL,)) == (0, 0, 0)


@pytest.mark.parametrize("answer", [_GONE, _GOING])
def test_a_namespace_that_goes_away_is_no_error(cluster: Cluster, answer: APIError) -> None:
    cluster.answers = [answer]
    assert kept(cluster, report("m")) == (0, 0, 0)


def test_a_report_that_another_audit_writes_is_tried_again(cluster: Cluster) -> None:
    cluster.answers = [_RACE] * 3
    assert kept(cluster, report("m")) == (1, 0, 0)
    cluster.answers = [_RACE] * 5
    with pytest.raises(InputError, match=r"the reports can't be kept: 409 Conflict: Operation cannot be fulfilled"):
        kept(cluster, report("m"))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (APIError(0, "", "refused"), "the cluster can't be reached: refused"),
        (APIError(403, "Forbidden", "exceeded quota: q"), "the reports can't be kept: 403 Forbidden: exceeded quota: q"),
        (
            APIError(403, "Forbidden", 'x is forbidden: User "u" cannot patch'),
            "a ClusterRole that may is weighbridge-reports, in deploy/reports.yaml",
        ),
    ],
)
def test_a_write_that_fails_is_one_error(cluster: Cluster, answer: APIError, said: str) -> None:
    cluster.answers = [answer] * 10
    with pytest.raises(InputError) as error:
        kept(cluster, *(report(f"m{at}") for at in range(10)))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_several_conflicts_are_one_error(cluster: Cluster) -> None:
    cluster.answers = [APIError(409, "Conflict", 'Apply failed with 1 conflict: conflict with "x" using v1: .summary')] * 3
    with pytest.raises(InputError, match=r"^Report a/weighbridge-model-m0-.* was changed by something else: .* \(and 2 more\)$"):
        kept(cluster, *(report(f"m{at}") for at in range(5)))
    assert sum(line.startswith("PATCH") for line in cluster.asked) == 5, "the others are written"


def test_what_is_wrong_in_one_namespace_holds_no_other_report_back(cluster: Cluster) -> None:
    cluster.stored = {"old": stored("old")}
    cluster.answers = [APIError(403, "Forbidden", "exceeded quota: q")]
    with pytest.raises(InputError, match=r"^the reports can't be kept: 403 Forbidden: exceeded quota: q$"):
        kept(cluster, *(report(f"m{at}") for at in range(5)))
    assert sum(line.startswith("PATCH") for line in cluster.asked) == 5
    assert sum(line.startswith("DELETE") for line in cluster.asked) == 1


def test_half_a_form_is_not_installed(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_form(None, None) is OPEN_REPORTS
    cluster.forms = (POLICY_REPORTS.api_version,)
    assert installed_form(None, None) is POLICY_REPORTS
    monkeypatch.setitem(_PLURALS, POLICY_REPORTS.api_version, ["policyreports"])
    with pytest.raises(InputError, match="the cluster has no kind of reports"):
        installed_form(None, None)
