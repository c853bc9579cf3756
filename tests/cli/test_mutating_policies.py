"""Mutating policies on the command line: the page's example gives the output that the page shows, from each source of policies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "mutating-policies.md").read_text(encoding="utf-8")
POLICIES = PAGE.partition("```yaml\n")[2].partition("```")[0]
SERVICE, MODEL = (PAGE.partition(f"```yaml {name}.yaml\n")[2].partition("```")[0] for name in ("service", "model"))
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: lab}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: nginx}
"""
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
RULE = re.compile(r"\{apiGroups: .*?\}")
#: The changes that the page makes in the policy for each of its examples, in order.
EXAMPLES = (
    POLICIES,
    POLICIES.replace("replicas: 2", "replicas: -2"),
    POLICIES.replace("replicas: 2", 'tolerations: [Object.spec.tolerations{key: "spot"}]'),
    re.sub(r" +Object\{.*?(?=---)", BLOCKS[1], RULE.sub(RULE.findall(PAGE)[1], POLICIES), flags=re.DOTALL),
    POLICIES.replace("patchType: ApplyConfiguration", "patchType: Apply"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"policies.yaml": POLICIES, "service.yaml": SERVICE, "model.yaml": MODEL, "deployment.yaml": DEPLOYMENT}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def shown() -> list[tuple[list[str], str]]:
    """The commands of the page with their output."""
    found = re.findall(r"```console\n\$ weighbridge (.*)\n((?:.*\n)*?)```", PAGE)
    return [(command.split(), text) for command, text in found]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_page_shows_what_the_command_prints(folder: Path, number: int) -> None:
    (folder / "policies.yaml").write_text(EXAMPLES[number], encoding="utf-8")
    command, text = shown()[number]
    done = run(*command, cwd=folder)
    assert done.stdout.startswith(text.rstrip("\n")) or done.stderr == text
    assert len(shown()) == len(EXAMPLES)


@pytest.mark.parametrize(
    "arguments",
    [("--policies", "policies.yaml"), ("--cluster", "policies.yaml"), ("policies.yaml",)],
    ids=["policies", "cluster", "manifests"],
)
def test_policies_come_from_each_place(folder: Path, arguments: tuple[str, ...]) -> None:
    done = run("dry-run", "service.yaml", *arguments, cwd=folder)
    assert "+  replicas: 2  # MutatingAdmissionPolicy team-labels with binding team-labels" in done.stdout
