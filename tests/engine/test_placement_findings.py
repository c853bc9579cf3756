"""The findings on pods that no node can run: the message, the nearest node, and the severity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.placement.outcome import Listed, Placement, Reason
from weighbridge.policies.verdict.judgement import NO_NODE, placement_finding

REASONS = "0/1 nodes are available: 1 Insufficient cpu"
AFTERWARDS = ". preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
NO_FIT = Placement(
    Listed((), {"n": ["Insufficient cpu"]}), REASONS + AFTERWARDS, Reason.UNSCHEDULABLE, nearest=["n has 1 of the 2 requested cpu", "b"]
)
NEAREST = "n has 1 of the 2 requested cpu; b"
FITS = Placement(Listed(["n"]))
MISSING = replace(NO_FIT, names_missing=True)


def told(placement: Placement, pod: str = "", references: Enforcement = Enforcement.DENY) -> tuple[Severity, str, str] | None:
    found = placement_finding(placement, pod, references)
    if found is None:
        return None
    assert (found.rule, found.path) == (NO_NODE, ())
    assert found == Finding(NO_NODE, found.severity, (), found.message, nearest=found.nearest)
    return found.severity, found.message, found.nearest


@pytest.mark.parametrize("references", Enforcement)
@pytest.mark.parametrize(
    ("placement", "pod", "message", "nearest"),
    [
        (NO_FIT, "", REASONS, NEAREST),
        (NO_FIT, "worker", f"worker pods: {REASONS}", NEAREST),
        (replace(NO_FIT, on_expected=["a"]), "", "no node can run its pods now, but a could, once there", NEAREST),
        (
            replace(NO_FIT, on_expected=["a", "b"], prospects=["p"]),
            "w",
            "w pods: no node can run its pods now, but a, b could, once there",
            NEAREST,
        ),
        (replace(NO_FIT, prospects=["p", "q"]), "", "no node can run its pods now, but p, q may bring one", NEAREST),
        (replace(NO_FIT, message="", reason=Reason.SILENT), "", "n has 1 of the 2 requested cpu", NEAREST),
        (replace(NO_FIT, message="", nearest=[], reason=Reason.SILENT), "", "", ""),
        (replace(NO_FIT, nearest=[]), "", REASONS, ""),
        (replace(FITS, apart="two share a claim"), "", "two share a claim", ""),
        (replace(FITS, apart="two share a claim"), "w", "w pods: two share a claim", ""),
    ],
)
def test_it_warns_that_no_node_can_run_the_pods(
    placement: Placement, pod: str, message: str, nearest: str, references: Enforcement
) -> None:
    assert told(placement, pod, references) == (Severity.WARNING, message, nearest)


@pytest.mark.parametrize("placement", [FITS, replace(FITS, nearest=["x"]), Placement(), replace(NO_FIT, reason=Reason.NONE, apart="x")])
def test_of_pods_that_may_run_nothing_is_said(placement: Placement) -> None:
    assert told(placement) is None


@pytest.mark.parametrize(
    ("references", "severity"),
    [(Enforcement.DENY, Severity.ERROR), (Enforcement.WARN, Severity.WARNING), (Enforcement.AUDIT, Severity.NOTE)],
)
def test_what_names_an_object_that_is_not_there_weighs_what_references_weigh(references: Enforcement, severity: Severity) -> None:
    assert told(MISSING, references=references) == (severity, REASONS, NEAREST)
    assert told(replace(MISSING, apart_from_claims=FITS), references=references) == (severity, REASONS, NEAREST)


def test_where_references_are_looked_past_the_rest_is_told() -> None:
    assert told(MISSING, references=Enforcement.OFF) is None
    assert told(replace(MISSING, apart_from_claims=FITS), references=Enforcement.OFF) is None
    without = replace(NO_FIT, message=f"0/1 nodes are available: 1 Insufficient memory{AFTERWARDS}", nearest=[])
    expected = (Severity.WARNING, "w pods: 0/1 nodes are available: 1 Insufficient memory", "")
    assert told(replace(MISSING, apart_from_claims=without), "w", Enforcement.OFF) == expected
    assert told(replace(NO_FIT, apart_from_claims=FITS), references=Enforcement.OFF) == (Severity.WARNING, REASONS, NEAREST)
