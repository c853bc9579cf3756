"""The type check of the policies that `--policies` names. The server would store them; otherwise the run would have ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from weighbridge.policies.verdict.cluster_policies import TYPE_WARNING
from weighbridge.webhook.cli.around.run import Run, judge_with
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.report import Result

if TYPE_CHECKING:
    from weighbridge.policies.verdict.upgrade import JudgedBy


def type_checked(policies: Sequence[Manifest], judged_by: Sequence[JudgedBy], tree: Tree) -> Iterator[tuple[Manifest, Result]]:
    """The results of policies with findings, in the order of the given objects."""
    run = Run(policies, [False] * len(policies), ["default"] * len(policies), {}, tree)
    for number, manifest in enumerate(policies):
        if manifest.value.get("kind") != "ValidatingAdmissionPolicy":
            continue
        result = judge_with(run, judged_by, number)
        said = {located.finding.rule for located in result.findings}
        if said == {TYPE_WARNING} or (not said and result.unchecked):
            yield manifest, result
