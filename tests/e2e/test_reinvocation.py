"""If another mutating webhook changes the object and ours is called again, ours doesn't change the values that it has filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.doors.cases import CASES, Case
from tests.e2e.cluster import Cluster, stored, without_manifest, without_servers_own
from tests.e2e.comparison import paths_of, said
from tests.e2e.other_webhook import LABEL, OtherWebhook
from tests.e2e.process import TurningProcess
from tests.e2e.reviews import eventually
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.verdict.engine import decide

pytestmark = pytest.mark.control_plane

#: Cases in which something is filled in.
FILLED = [
    case
    for case in CASES
    if case.folder.parent.name == "llmkube"
    and case.folder.name.startswith(("fills-the", "tolerates-the", "appends", "skips-the", "tells-on"))
    and case.old is None
    and not case.configuration().settings_of(LLMKube).version
]


@pytest.fixture(scope="module")
def webhook(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TurningProcess]:
    """Our webhook, and the other one after it."""
    for case in FILLED:
        cluster.namespace(case.request().namespace)
    other = OtherWebhook(tmp_path_factory.mktemp("other"))
    with cluster.turning() as webhook:
        cluster.apply(other.configuration(FAMILY))
        probe = {
            "apiVersion": "inference.llmkube.dev/v1alpha1",
            "kind": "Model",
            "metadata": {"name": "probe", "namespace": "default"},
            "spec": {"source": "https://example.com/m.gguf"},
        }
        eventually(lambda: LABEL in cluster.create(probe, dry_run=True).stdout)
        try:
            yield webhook
        finally:
            cluster.plane.kubectl("delete", "mutatingwebhookconfiguration", "zz-other", check=True)
            other.close()


def _mutations(webhook: TurningProcess, kind: str) -> float:
    """How often the mutating webhook has been called for a kind."""
    page = webhook.page("/metrics")
    found = re.findall(rf'^weighbridge_decisions_total\{{[^}}]*kind="{kind}"[^}}]*phase="mutate"[^}}]*\}} (\S+)$', page, re.MULTILINE)
    return sum(map(float, found))


def test_ours_is_called_again_after_the_other(cluster: Cluster, webhook: TurningProcess) -> None:
    adapter = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "LoRAAdapter",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": {"inferenceServiceRef": {"name": "s"}, "name": "n", "path": "/p"},
    }
    before = _mutations(webhook, "LoRAAdapter")
    assert cluster.create(adapter, dry_run=True).returncode == 0
    eventually(lambda: _mutations(webhook, "LoRAAdapter") == before + 2)


def test_there_are_cases_in_which_something_is_filled_in() -> None:
    assert len(FILLED) >= 15


@pytest.mark.parametrize("case", FILLED, ids=lambda case: case.id)
def test_a_second_call_changes_nothing(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    webhook.turn(*paths_of(case))
    decision = decide(case.request(), case.facts(), case.configuration())
    done = cluster.create(case.object, dry_run=True)
    assert done.returncode == 0, done.stderr
    found = without_manifest(stored(done.stdout))
    assert found["metadata"].pop("labels") == {**case.object["metadata"].get("labels", {}), LABEL: "true"}
    expected = without_servers_own(decision.object)
    expected["metadata"].pop("labels", None)
    assert found == expected
    warnings, _ = said(done.stderr)
    assert sorted(warnings) == sorted(decision.warnings)
