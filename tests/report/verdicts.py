"""Verdicts written by hand, and the texts that the formats of `dry-run` write."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, cast

from weighbridge.policies.ground.objects import GroupVersionKind, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.dry_run_report import FORMATS, Verdict
from weighbridge.webhook.dry_run_report.parts.shapes import FindingRecord, VerdictRecord
from weighbridge.webhook.texts.style import Style

POD = GroupVersionKind("", "v1", "Pod")
WIDE = Style(width=200)
VERBOSE = Style(width=200, verbose=True)


def verdict(*, given: JSONValue = None, place: str = "", name: str = "web", namespace: str = "shop", **parts: Any) -> Verdict:
    """A verdict on a pod, allowed unless the parts of its record say something else."""
    record = {
        "version": 1,
        "id": "id-1",
        "allowed": True,
        "code": 200,
        "message": "",
        "causes": [],
        "warnings": [],
        "findings": [],
        "patch": [],
        "provenance": [],
        "object": given,
        "unchecked": [],
        "celCost": 0,
        **parts,
    }
    request = Request("id-1", Operation.CREATE, POD, given, namespace=namespace, name=name)
    return Verdict(cast(VerdictRecord, record), request, given=given, place=place)


def finding(severity: str, message: str, **more: str) -> FindingRecord:
    """A finding on `spec.a`."""
    return cast(FindingRecord, {"rule": "WB-001", "severity": severity, "field": "spec.a", "message": message, "hint": "", **more})


def written(format_name: str, *verdicts: Verdict, style: Style = WIDE, passed_over: Mapping[str, int] | None = None) -> str:
    """The output of a format. With `passed_over` it ends with the number of documents that were skipped."""
    stream = io.StringIO()
    writer = FORMATS[format_name](stream, style)
    for each in verdicts:
        writer.write(each)
    if passed_over is not None:
        writer.finish(passed_over)
    return stream.getvalue()
