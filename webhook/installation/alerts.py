"""The alert rules: the condition of each alert, and what to do. `docs/operation.md` has them as a table.

Expressions name no job and no namespace, since those depend on how the metrics are collected; the metrics have names of their own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass


class Urgency(StrEnum):
    """Who gets the alert: the person on duty at once, the team on a working day, or the readers of a dashboard."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Alert:
    """One rule; `minutes` is for how long the expression has to hold before it alerts."""

    name: str
    urgency: Urgency
    expression: str
    minutes: int
    summary: str
    action: str


_DAY: Final = 86_400
_WEBHOOKS: Final = 'name=~".+[.]weighbridge[.]dev"'

ALERTS: Final = (
    Alert(
        "WeighbridgeUnavailable",
        Urgency.CRITICAL,
        "absent(weighbridge_ready == 1)",
        2,
        "No replica of Weighbridge is ready.",
        "In mode deny the API server refuses what it can't ask about. Look at the pods and at /readyz. If something must go in now, delete "
        "the webhook configurations (docs/installation.md, When it is in the way).",
    ),
    Alert(
        "WeighbridgeCallsFail",
        Urgency.CRITICAL,
        f'sum by (name) (increase(apiserver_admission_webhook_rejection_count{{{_WEBHOOKS},error_type!="no_error"}}[10m])) > 0 or '
        f"sum by (name) (increase(apiserver_admission_webhook_fail_open_count{{{_WEBHOOKS}}}[10m])) > 0",
        0,
        "The API server couldn't call Weighbridge. The request was refused, or passed unjudged, as the failure policy says.",
        "Run `weighbridge doctor`: it names the cause, such as a caBundle, a certificate or a Service without endpoints.",
    ),
    Alert(
        "WeighbridgeReplicaNotReady",
        Urgency.WARNING,
        "weighbridge_ready == 0",
        10,
        "A replica of Weighbridge isn't ready.",
        "Ask its /readyz for the reason.",
    ),
    Alert(
        "WeighbridgeNotRegistered",
        Urgency.WARNING,
        "weighbridge_webhook_configuration_present == 0",
        10,
        "A webhook configuration of Weighbridge isn't installed, so nothing is judged.",
        "Run `weighbridge doctor`: it says what brings it back in the mode that was installed.",
    ),
    Alert(
        "WeighbridgeCallsTurnedAway",
        Urgency.WARNING,
        'sum by (reason) (increase(weighbridge_calls_turned_away_total{reason=~"not_ready|shed|defect|too_slow"}[10m])) > 0',
        0,
        "Weighbridge answered calls with an HTTP error in place of a verdict.",
        "shed: add replicas or processors. not_ready: ask /readyz. defect: the log has the traceback; report it. too_slow: a client that "
        "isn't the API server, or a network that loses packets.",
    ),
    Alert(
        "WeighbridgeEngineFails",
        Urgency.WARNING,
        "sum by (phase) (increase(weighbridge_engine_failures_total[10m])) > 0",
        0,
        "A rule failed or ran out of time; the configured mode answered in its place.",
        "The log names the rule and the object. Set the rule to ignore until it is mended, and report it.",
    ),
    Alert(
        "WeighbridgeSlow",
        Urgency.WARNING,
        "histogram_quantile(0.99, sum by (le, phase) (rate(weighbridge_call_duration_seconds_bucket[10m]))) > 1",
        0,
        "One call in a hundred takes more than a second.",
        "Look at the processor time of the pods and of the API server, and at the size of what is written.",
    ),
    Alert(
        "WeighbridgeFactsStale",
        Urgency.WARNING,
        "weighbridge_facts_age_seconds > 60",
        5,
        "A replica judges by facts that are old, since its watch is interrupted.",
        "Look at the log for the reason: the network, the API server, or a right that was taken away.",
    ),
    Alert(
        "WeighbridgeFactsUnknown",
        Urgency.WARNING,
        "weighbridge_facts_known == 0",
        10,
        "A kind of objects can't be read, so the rules that need it are silent.",
        "Run `weighbridge doctor`: it names the right that is missing, and what to run.",
    ),
    Alert(
        "WeighbridgeCertificateFault",
        Urgency.CRITICAL,
        "weighbridge_certificate_fault == 1",
        2,
        "The serving certificate is one that the API server refuses.",
        "The label `fault` says why, and `weighbridge doctor` what to run.",
    ),
    Alert(
        "WeighbridgeCertificateExpires",
        Urgency.WARNING,
        f"weighbridge_certificate_not_after_timestamp_seconds - time() < {21 * _DAY}",
        60,
        "The serving certificate ends within three weeks and wasn't renewed.",
        "It is renewed after two thirds of its life. Look at the log of the replicas, or at cert-manager, for what holds that up.",
    ),
    Alert(
        "WeighbridgeAuthorityExpires",
        Urgency.WARNING,
        f"(weighbridge_authority_not_after_timestamp_seconds > 0) - time() < {90 * _DAY}",
        60,
        "The authority that signs the serving certificate ends within three months and wasn't renewed.",
        "Look at the log of the replicas, or at cert-manager. Where the authority is a file of yours, bring the next one.",
    ),
    Alert(
        "WeighbridgeCertificateNotRead",
        Urgency.WARNING,
        'increase(weighbridge_certificate_reloads_total{result="refused"}[15m]) > 0',
        0,
        "A changed certificate can't be used; the one before is still served.",
        "The log names the file and what is wrong with it.",
    ),
    Alert(
        "WeighbridgeConfigurationRefused",
        Urgency.WARNING,
        "weighbridge_configuration_last_reload_successful == 0",
        5,
        "The configuration file can't be used; the one before is in force.",
        "The log names the line. `weighbridge config check` says the same before you apply it.",
    ),
    Alert(
        "WeighbridgeConfigurationsDiffer",
        Urgency.WARNING,
        'count(count_values("hash", weighbridge_configuration_hash)) > 1',
        10,
        "Replicas have different configurations in force.",
        "One of them refused the newest, or its volume isn't up to date. Look at their logs.",
    ),
    Alert(
        "WeighbridgeNamespaceConfigurationRefused",
        Urgency.INFO,
        'weighbridge_namespace_configurations{result="refused"} > 0',
        10,
        "A namespace brings a section of configuration that isn't used.",
        "`weighbridge config show --cluster` names the ConfigMap and the reason.",
    ),
    Alert(
        "WeighbridgeExceptionEnded",
        Urgency.INFO,
        'weighbridge_configuration_exceptions{state="ended"} > 0',
        0,
        "An exception of the configuration has ended and excepts nothing any more.",
        "Take it out of the configuration, or renew it.",
    ),
)


def groups() -> JSONObject:
    """The rules as Prometheus reads them from a file, and as a PrometheusRule has them in its spec."""
    return {"groups": [{"name": "weighbridge", "rules": [_rule(alert) for alert in ALERTS]}]}


def _rule(alert: Alert) -> JSONObject:
    held: JSONObject = {"for": f"{alert.minutes}m"} if alert.minutes else {}
    return {
        "alert": alert.name,
        "expr": alert.expression,
        **held,
        "labels": {"severity": alert.urgency.value},
        "annotations": {"summary": alert.summary, "description": alert.action},
    }
