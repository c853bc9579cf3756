"""The page with examples shows what the commands print for a model and runtimes that upstream ships."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.yaml_documents import read_all

PAGE = (ROOT / "docs" / "ome.md").read_text()
SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)
#: The fields by which a runtime is selected.
SELECTING = ("supportedModelFormats", "modelSizeRange", "disabled", "acceleratorRequirements")


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=["cluster", "namespace", "impact", "settings"])
def test_the_output_on_the_page_is_what_the_command_prints(arguments: str, output: str) -> None:
    printed = run(*arguments.split(), cwd=ROOT).stdout
    assert output in printed
    # The page shows the whole table of a dry run.
    if arguments.startswith("dry-run"):
        rows = [line for line in printed.splitlines() if re.match(r"    \S+ +(?:namespace|cluster) ", line)]
        assert rows == [line for line in output.splitlines() if re.match(r"    \S+ +(?:namespace|cluster) ", line)]


def test_the_model_and_the_runtimes_are_upstreams(shared: Path) -> None:
    upstreams = {
        (found["kind"], found["metadata"]["name"]): found["spec"]
        for path in (shared / "corpus/ome/samples/config").rglob("*.yaml")
        for found in read_all(path.read_text())
        if isinstance(found, dict) and found["kind"].startswith("Cluster")
    }
    documents = list(read_all((ROOT / "docs/examples/ome/cluster.yaml").read_text()))
    assert [found["kind"] for found in documents] == ["ClusterBaseModel", *["ClusterServingRuntime"] * 4]
    for found in documents:
        spec = upstreams[found["kind"], found["metadata"]["name"]]
        assert _selecting(found["spec"]) == _selecting({"disabled": False, **spec} if found["kind"] == "ClusterBaseModel" else spec)


def _selecting(spec: dict[str, Any]) -> dict[str, Any]:
    if "storage" in spec:
        return spec
    return {"disabled": False} | {key: spec[key] for key in SELECTING if key in spec}
