"""Many models of one image: the message says first what is wrong and then has only a few names, since the API server cuts warnings."""

from __future__ import annotations

import pytest

from tests.command_line import run
from tests.yaml_documents import read_all

#: The length to which the API server cuts a warning.
LONGEST = 256


def a_model(group: str, number: int) -> str:
    name = f"a-model-of-team-{number}"
    return f"apiVersion: {group}/v1alpha1\nkind: AIMModel\nmetadata: {{name: {name}, namespace: ai}}\nspec: {{image: 'r.example/m:1'}}\n"


@pytest.mark.parametrize("group", ["aim.eai.amd.com", "aim.silogen.ai"])
@pytest.mark.parametrize(("count", "more"), [(2, "AIMModel a-model-of-team-1 has it, too"), (12, " and 8 more have it, too")])
def test_a_model_names_a_few_of_the_others(group: str, count: int, more: str) -> None:
    text = "---\n".join(a_model(group, number) for number in range(count))
    found = [line.partition("AIM-050] ")[2] for line in run("lint", "-", text=text).stdout.splitlines() if "AIM-050" in line]
    assert len(found) == count
    assert found[0].startswith("spec.image: services that name this image find several models: AIMModel a-model-of-team-1")
    assert found[0].endswith(f"{more} (AIMModel ai/a-model-of-team-0)")
    assert max(map(len, found)) < LONGEST


@pytest.mark.parametrize("group", ["aim.eai.amd.com", "aim.silogen.ai"])
def test_a_service_names_a_few_of_the_models(group: str) -> None:
    service = f"apiVersion: {group}/v1alpha1\nkind: AIMService\nmetadata: {{name: s, namespace: ai}}\n"
    service += "spec: {model: {image: 'r.example/m:1'}}\n"
    text = "---\n".join([service, *(a_model(group, number) for number in range(12))])
    assert len(list(read_all(text))) == 13
    (said,) = [line.partition("AIM-004] ")[2] for line in run("lint", "-", text=text).stdout.splitlines() if "AIM-004" in line]
    assert said == (
        "spec.model.image: 12 models have this image, and the operator chooses none: "
        "AIMModel a-model-of-team-0, AIMModel a-model-of-team-1, AIMModel a-model-of-team-2 and 9 more (AIMService ai/s)"
    )
