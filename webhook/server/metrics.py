"""The metrics of the webhook, in Prometheus' text format.

Every label has a closed set of values: no users, no namespaces, and kinds that no family knows are ``other``. The API server has its own
metrics for each webhook (``apiserver_admission_webhook_*``); these ones show what it can't see.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from weighbridge.certs.serving_faults import CertificateFault
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.judgement import INTERNAL_RULE
from weighbridge.webhook.server.calls import TurnedAway
from weighbridge.webhook.server.configuration_metrics import ConfigurationMetrics

OTHER_KIND: Final = "other"
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
PHASES: Final = (Phase.MUTATE, Phase.VALIDATE)
_DURATION_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_DECISION_BUCKETS: Final = (0.0001, 0.00025, 0.0005, *_DURATION_BUCKETS)
_PAGE_SECONDS: Final = 1.0
#: The result of a finding, by its severity, as a label. Rules' ids are a closed set, since they come from the code or the configuration.
_RESULTS: Final = {Severity.ERROR: "deny", Severity.WARNING: "warn", Severity.NOTE: "audit"}


@cache
def known_kinds() -> frozenset[str]:
    """The kinds that appear under their own names in labels."""
    return frozenset(kind.gvk.kind for family in families() for kind in family.kinds)


def outcome_of(decision: Decision, *, is_audit: bool = False) -> str:
    """The decision as a word: `deny`, `mutate` or `allow`; in mode audit `would-deny`, `would-mutate` or `allow`."""
    outcome = ("mutate" if decision.patch else "allow") if decision.allowed else "deny"
    return f"would-{outcome}" if is_audit and outcome != "allow" else outcome


class Metrics:
    """The metrics of one server process, in a separate registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._decisions = Counter(
            "weighbridge_decisions", "Admission requests decided", ["phase", "operation", "kind", "decision"], registry=registry
        )
        self._counters: dict[tuple[str, ...], Counter] = {}
        self._turned_away = Counter("weighbridge_calls_turned_away", "Calls answered with an HTTP error", ["reason"], registry=registry)
        self._failures = Counter(
            "weighbridge_engine_failures", "Decisions in which a rule or the engine failed or ran out of time", ["phase"], registry=registry
        )
        self._patched = Counter("weighbridge_patch_operations", "JSON Patch operations sent", registry=registry)
        self.in_flight = Gauge("weighbridge_calls_in_flight", "Calls being answered", registry=registry)
        self.bodies_arriving = Gauge("weighbridge_bodies_arriving", "Calls whose body is still awaited", registry=registry)
        self.ready = Gauge("weighbridge_ready", "1 when new calls are welcome", registry=registry)
        self._add_certificates(registry)
        self.facts_age = Gauge(
            "weighbridge_facts_age_seconds", "For how long changes may have gone unseen", ["resource"], registry=registry
        )
        self.facts_known = Gauge(
            "weighbridge_facts_known",
            "1 when all objects of the resource are known, or it isn't installed",
            ["resource"],
            registry=registry,
        )
        self._crd_losses = Gauge(
            "weighbridge_crd_missing_checks",
            "Checks that the installed CRD lacks and the webhook makes",
            ["kind"],
            registry=registry,
        )
        self._findings = Counter("weighbridge_findings", "Findings of rules, by what they led to", ["rule", "result"], registry=registry)
        self.configuration = ConfigurationMetrics(registry)
        self._reloads = Counter("weighbridge_certificate_reloads", "Certificate files read again", ["result"], registry=registry)
        durations = Histogram(
            "weighbridge_call_duration_seconds",
            "From a call's first byte to its answer, reading the body included",
            ["phase"],
            buckets=_DURATION_BUCKETS,
            registry=registry,
        )
        decisions = Histogram(
            "weighbridge_decision_duration_seconds", "Time in the engine", ["phase"], buckets=_DECISION_BUCKETS, registry=registry
        )
        self._durations = {phase: durations.labels(phase) for phase in PHASES}
        self._decision_durations = {phase: decisions.labels(phase) for phase in PHASES}
        for reason in TurnedAway:
            self._turned_away.labels(reason)
        for phase in PHASES:
            self._failures.labels(phase)
        for result in ("loaded", "refused"):
            self._reloads.labels(result)
        self.certificate_judged(())

    def _add_certificates(self, registry: CollectorRegistry) -> None:
        self.certificate_not_after = Gauge(
            "weighbridge_certificate_not_after_timestamp_seconds", "When the serving certificate expires", registry=registry
        )
        self.authority_not_after = Gauge(
            "weighbridge_authority_not_after_timestamp_seconds",
            "When the authority of the certificate directory expires; 0 where there is none",
            registry=registry,
        )
        self._registered = Gauge(
            "weighbridge_webhook_configuration_present",
            "1 for webhook configurations that are installed",
            ["configuration"],
            registry=registry,
        )
        self._certificate_faults = Gauge(
            "weighbridge_certificate_fault", "1 for what makes clients refuse the serving certificate", ["fault"], registry=registry
        )

    def decided(self, phase: Phase, request: Request, decision: Decision, seconds: float, *, is_audit: bool = False) -> dict[str, str]:
        """Count one decision and the engine's time for it. In mode audit, count what mode deny would have decided. Gives the labels."""
        kind = request.gvk.kind if request.gvk.kind in known_kinds() else OTHER_KIND
        outcome = outcome_of(decision, is_audit=is_audit)
        self._count_of(phase, request.operation, kind, outcome).inc()
        self._decision_durations[phase].observe(seconds)
        if decision.patch:
            self._patched.inc(len(decision.patch))
        for finding in decision.findings:
            result = "exempted" if finding.exempted else _RESULTS[finding.severity]
            self._findings.labels(finding.rule, "would-deny" if is_audit and result == "deny" else result).inc()
        if any(finding.rule == INTERNAL_RULE for finding in decision.findings):
            self.engine_failed(phase)
        return {"phase": phase, "operation": request.operation, "kind": kind, "decision": outcome}

    def _count_of(self, *labels: str) -> Counter:
        """The counter with these labels. It is kept, since finding it costs more than counting; the labels are a closed set."""
        counter = self._counters.get(labels)
        if counter is None:
            counter = self._counters[labels] = self._decisions.labels(*labels)
        return counter

    def engine_failed(self, phase: Phase) -> None:
        """Count one failure of ours."""
        self._failures.labels(phase).inc()

    def answered(self, phase: Phase, seconds: float) -> None:
        """Count one review that was answered."""
        self._durations[phase].observe(seconds)

    def turned_away(self, reason: TurnedAway) -> None:
        """Count one call that wasn't judged."""
        self._turned_away.labels(reason).inc()

    def crd_lost(self, kind: str, checks: int) -> None:
        """Show how many checks the installed CRD of one of the families' kinds lacks."""
        self._crd_losses.labels(kind).set(checks)

    def certificate_judged(self, faults: Container[CertificateFault]) -> None:
        """Show the faults of the served certificate."""
        for fault in CertificateFault:
            self._certificate_faults.labels(fault).set(fault in faults)

    def registered(self, configuration: str, *, is_there: bool) -> None:
        """Show whether one of the two webhook configurations is installed."""
        self._registered.labels(configuration).set(is_there)

    def certificate_read(self, *, loaded: bool) -> None:
        """Count one change of the certificate files, which could be used or not."""
        self._reloads.labels("loaded" if loaded else "refused").inc()


class MetricsPage:
    """The page of metrics. It is rendered at most once a second, and in the health server's thread, since that takes milliseconds."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._clock = clock
        self._page: tuple[float, bytes] | None = None

    def text(self) -> bytes:
        """The page, at most a second old."""
        if self._page is None or self._clock() - self._page[0] > _PAGE_SECONDS:
            self._page = (self._clock(), generate_latest(self._metrics.registry))
        return self._page[1]
