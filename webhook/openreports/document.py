"""The report on one object: its name, its scope, its summary, and as many results as fit.

The report belongs to the object, so Kubernetes removes it with the object. The summary counts all results, including those that are left
out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.digests import sha256
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.webhook.cluster.report_forms import OPEN_REPORTS, ReportForm
from weighbridge.webhook.inputs.stored import JudgedObject
from weighbridge.webhook.openreports.results import RESULTS, SOURCE, results_of
from weighbridge.webhook.texts.rule_addresses import known_rules
from weighbridge.webhook.texts.yaml_text import yaml_text

MANAGED_BY: Final = "app.kubernetes.io/managed-by"
MANAGER: Final = "weighbridge"
#: The annotation with the number of results that were left out, the least severe ones.
LEFT_OUT: Final = "weighbridge.dev/results-left-out"
#: Less than 1 MiB of results, however they are written; etcd takes 1.5 MiB.
MOST_RESULTS: Final = 100
_LONGEST_NAME: Final = 200
_OTHERS: Final = expression(r"[^a-z0-9]+")


def reports_on(judged: Iterable[JudgedObject], form: ReportForm, config: Configuration, seconds: int) -> Iterator[JSONObject]:
    """The reports on objects with findings, at a time in seconds since 1970."""
    names = known_rules() | {policy.id: policy.name for policy in config.policies or ()}
    for one in judged:
        report = _report_on(one, form, names, seconds)
        if report is not None:
            yield report


def manifests(judged: Iterable[JudgedObject], config: Configuration, seconds: int) -> str:
    """The reports as OpenReports, in one text for `kubectl apply --server-side -f -`."""
    return "---\n".join(map(yaml_text, reports_on(judged, OPEN_REPORTS, config, seconds)))


def _report_on(one: JudgedObject, form: ReportForm, names: Mapping[str, str], seconds: int) -> JSONObject | None:
    results = results_of(one, names)
    if not results:
        return None
    obj, namespace = one.object, namespace_of(one.object)
    left_out = len(results) - MOST_RESULTS
    name = report_name(obj)
    metadata: JSONObject = {"name": name, **({"namespace": namespace} if namespace else {}), "labels": {MANAGED_BY: MANAGER}}
    if left_out > 0:
        metadata["annotations"] = {LEFT_OUT: str(left_out)}
    uid = text(metadata_of(obj), "uid")
    owner = {"apiVersion": text(obj, "apiVersion"), "kind": text(obj, "kind"), "name": name_of(obj)}
    if uid:
        metadata["ownerReferences"] = [{**owner, "uid": uid}]
    report: JSONObject = {"apiVersion": form.api_version, "kind": form.of(namespace).kind, "metadata": metadata}
    if form.has_source:
        report["source"] = SOURCE
    report["scope"] = {**owner, **({"namespace": namespace} if namespace else {}), **({"uid": uid} if uid else {})}
    if form.has_source and left_out > 0:
        report["configuration"] = {"limits": {"maxResults": MOST_RESULTS}}
    counted = Counter(result["result"] for result in results)
    report["summary"] = {result: counted[result] for result in ("pass", *RESULTS)}
    report["results"] = [{**result, "timestamp": {"seconds": seconds, "nanos": 0}} for result in results[:MOST_RESULTS]]
    return report


def report_name(obj: JSONObject) -> str:
    """The name of the report on an object: always the same for an object, and different for each object of a namespace."""
    group, kind, name = text(obj, "apiVersion").rpartition("/")[0], text(obj, "kind"), name_of(obj)
    digest = sha256("\0".join((group, kind, name)).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    shown = _OTHERS.sub("-", f"{kind}-{name}".lower())[:_LONGEST_NAME].strip("-")
    return "-".join(filter(None, (MANAGER, shown, digest)))
