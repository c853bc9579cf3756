"""One verdict as data: the report of `dry-run` on one request, in every machine-readable format."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.texts.rule_addresses import with_page

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import (
        CRDRecord,
        EffectiveRecord,
        FindingRecord,
        PlacementRecord,
        ProvenanceRecord,
        ShortVerdictRecord,
        UncheckedRecord,
        VerdictRecord,
    )

VERSION = 1


def verdict_record(identity: str, decision: Decision) -> VerdictRecord:
    """The record of a decision; `identity` is the request's uid."""
    record: VerdictRecord = {
        "version": VERSION,
        "id": identity,
        "allowed": decision.allowed,
        "code": decision.code,
        "message": decision.message,
        "causes": [{"reason": c.get("reason", ""), "field": c.get("field", ""), "message": c["message"]} for c in decision.causes],
        "warnings": list(decision.warnings),
        "findings": [cast("FindingRecord", with_page(finding)) for finding in decision.findings],
        "patch": list(decision.patch),
        "provenance": [cast("ProvenanceRecord", entry.as_json()) for entry in decision.provenance],
        "object": decision.object,
        "unchecked": [cast("UncheckedRecord", entry.as_json()) for entry in decision.unchecked],
        "celCost": decision.cel_cost,
    }
    if decision.never_runs:
        record["neverRuns"] = True
    if decision.skipped:
        record["skipped"] = decision.skipped
    if decision.placement is not None:
        record["placement"] = cast("PlacementRecord", decision.placement.as_json())
    if decision.bundled:
        record["bundled"] = decision.bundled
    if decision.crd is not None:
        record["crd"] = cast("CRDRecord", decision.crd)
    if decision.effective is not None:
        record["effective"] = cast("EffectiveRecord", decision.effective)
    return record


def short(record: VerdictRecord) -> ShortVerdictRecord:
    """The record without the stored object, the filled-in values, the prediction and the placement."""
    from weighbridge.webhook.dry_run_report.parts.shapes import ShortVerdictRecord

    kept = ShortVerdictRecord.__annotations__
    return cast("ShortVerdictRecord", {key: value for key, value in record.items() if key in kept})


def unreadable_record(identity: str, error: str) -> VerdictRecord:
    """The record of a request that couldn't be read."""
    return {
        "version": VERSION,
        "id": identity,
        "allowed": False,
        "code": 400,
        "message": error,
        "causes": [],
        "warnings": [],
        "findings": [],
        "patch": [],
        "provenance": [],
        "object": None,
        "unchecked": [{"subject": "request", "reason": error}],
        "celCost": 0,
        "error": error,
    }


def json_schema() -> JSONObject:
    """The JSON Schema of one verdict."""
    from pydantic import TypeAdapter

    from weighbridge.webhook.dry_run_report.parts.shapes import VerdictRecord

    schema: JSONObject = TypeAdapter(VerdictRecord).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Weighbridge verdict", **schema}
