"""Filled-in items of lists have their source in the output, like all other values: in text, as a diff and as YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.webhook.dry_run_report.parts.yaml_lines import take_origin

CASES = ROOT / "tests" / "cases"
#: A case of each family that fills in items.
FILLED = (
    "ome/fills-the-toleration-of-a-runtime-without-one",
    "llmaz/fills-in-the-tolerations-of-workers",
    "llmkube/adds-the-configured-tolerations",
)
POOL = """\
apiVersion: v1
kind: List
items:
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: spot}
  spec:
    template:
      spec:
        taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
        nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
        requirements:
        - {key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [h100]}
        - {key: karpenter.k8s.aws/instance-gpu-count, operator: In, values: ["8"]}
"""
SERVICE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: ai}
spec: {source: https://example.com/m.gguf, hardware: {accelerator: cuda, gpu: {enabled: true, count: 1, vendor: nvidia}}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s, namespace: ai}
spec: {modelRef: m, replicas: 1}
"""


def added(case: str, *options: str) -> list[str]:
    """The lines that are added."""
    folder = CASES / case
    given = [option for name in ("cluster", "config") if (path := folder / f"{name}.yaml").exists() for option in (f"--{name}", str(path))]
    return [
        line for line in run("dry-run", str(folder / "object.yaml"), *given, *options).stdout.splitlines() if line.lstrip().startswith("+ ")
    ]


@pytest.mark.parametrize("options", [(), ("-o", "diff")], ids=["text", "diff"])
@pytest.mark.parametrize("case", FILLED)
def test_an_item_that_is_filled_in_has_its_origin(case: str, options: tuple[str, ...]) -> None:
    items = [line for line in added(case, *options) if line.lstrip("+ ").startswith("- ")]
    assert items
    assert all("  # " in line for line in items), items


def test_a_map_that_is_made_whole_has_its_origin_at_its_key() -> None:
    (first, *others) = [line.lstrip("+ ") for line in added("llmkube/fills-the-render-group") if "default of the schema" not in line]
    assert first.startswith("podSecurityContext:  # ")
    assert not [line for line in others if "#" in line]


def test_what_a_pool_may_bring_is_no_node(tmp_path: Path) -> None:
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text(POOL)
    origin = "cluster: NodePool spot with nvidia.com/gpu has the taint nvidia.com/gpu:NoSchedule"
    for output in ("text", "diff", "yaml", "effective"):
        said = run("dry-run", "-", "--cluster", str(cluster), "-o", output, text=SERVICE).stdout
        assert said.count(origin) == 1
        assert "node NodePool" not in said


def test_an_origin_is_told_once_on_the_first_line_of_what_it_is_of() -> None:
    origins = {"spec.a[0]": "x", "spec.b": "y", "spec.c[1].d[0]": "z"}
    lines = ("spec.a[0].key", "spec.a[0].value", "spec.b", "spec.b.c", "spec.c[1].d[0].e", "spec.c[1].d[1]")
    assert [take_origin(origins, line) for line in lines] == ["x", "", "y", "", "z", ""]
