"""The two API groups with policy reports: OpenReports, and its predecessor.

Their reports differ in a few fields. Sources: openreports/reports-api v0.2.1, config/crd; kubernetes-sigs/wg-policy-prototypes,
policy-report/crd/v1alpha2.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class ReportKind:
    """A kind of report, and its plural."""

    kind: str
    plural: str


@dataclass(frozen=True, slots=True)
class ReportForm:
    """One group: its kinds for namespaced and other objects, and whether a report as a whole names its source and its limits."""

    group: str
    version: str
    namespaced: ReportKind
    cluster_wide: ReportKind
    has_source: bool

    @property
    def api_version(self) -> str:
        """The group and the version."""
        return f"{self.group}/{self.version}"

    @property
    def kinds(self) -> tuple[ReportKind, ReportKind]:
        """Both kinds."""
        return self.namespaced, self.cluster_wide

    def of(self, namespace: str) -> ReportKind:
        """The kind of a report on an object in a namespace; of one without a namespace if that is empty."""
        return self.namespaced if namespace else self.cluster_wide


OPEN_REPORTS: Final = ReportForm(
    "openreports.io", "v1alpha1", ReportKind("Report", "reports"), ReportKind("ClusterReport", "clusterreports"), has_source=True
)
POLICY_REPORTS: Final = ReportForm(
    "wgpolicyk8s.io",
    "v1alpha2",
    ReportKind("PolicyReport", "policyreports"),
    ReportKind("ClusterPolicyReport", "clusterpolicyreports"),
    has_source=False,
)
#: The first installed form is written.
FORMS: Final = (OPEN_REPORTS, POLICY_REPORTS)
