"""Every family that starts servers checks the same questions about them: a table of questions, with the rule that answers each.

A cell is a rule with a case in which it has a finding, or the reason why the question doesn't arise in the family.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.doors.cases import CASES
from weighbridge.policies.families import families
from weighbridge.policies.families.serving_engines.containers import started_in
from weighbridge.policies.ground.fields import items
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.verdict.engine import decide

#: A rule's id and the folder of its case.
Answer = tuple[str, str]

QUESTIONS: Final = (
    "the server's port differs from the one that is asked",
    "the parallelism needs more GPUs than the pod has",
    "the parallelism leaves GPUs of the pod idle",
    "the image is built for another vendor's GPU",
    "the image has no GPU backend",
    "the engine has no such flag",
    "the flag is one of another engine",
    "a list that replaces another lacks the model or the context",
    "a ResourceQuota allows fewer GPUs",
)
_NO_ENGINE: Final = "it starts no engine: its pools choose the pods of others"
_OF_ITS_OWN: Final = "its images are AIM's own, which are built for AMD's GPUs; a GPU of another vendor is AIM-042"

ANSWERS: Final[dict[str, tuple[Answer | str, ...]]] = {
    "llmkube": (
        ("LLMKUBE-160", "refuses-a-port-that-the-probes-miss"),
        ("LLMKUBE-045", "refuses-more-tensor-parallelism-than-gpus"),
        ("LLMKUBE-179", "warns-of-half-the-gpus-in-vllm-s-settings"),
        ("LLMKUBE-066", "warns-of-a-rocm-image-on-nvidia"),
        ("LLMKUBE-065", "warns-of-a-cpu-image-on-a-gpu"),
        ("LLMKUBE-164", "warns-of-an-unknown-argument"),
        ("LLMKUBE-164", "warns-of-a-flag-of-another-engine"),
        "extraArgs come after the operator's arguments and replace no list; a flag that goes over one of these is LLMKUBE-162",
        ("LLMKUBE-174", "warns-of-a-resource-quota"),
    ),
    "ome": (
        ("OME-165", "refuses-another-port-than-the-probe-asks-at"),
        ("OME-065", "warns-of-more-parallelism-in-a-service-s-arguments"),
        ("OME-167", "warns-of-gpus-that-the-engine-never-uses"),
        ("OME-169", "warns-of-an-image-for-rocm-on-nvidia"),
        ("OME-169", "warns-of-an-image-without-a-gpu-backend"),
        ("OME-168", "warns-of-a-flag-that-no-engine-has"),
        ("OME-168", "warns-of-a-flag-of-another-engine"),
        ("OME-166", "warns-of-arguments-without-the-model"),
        ("OME-181", "warns-of-a-resource-quota"),
    ),
    "llmaz": (
        ("LLMAZ-073", "warns-of-a-playground-at-another-port"),
        ("LLMAZ-072", "warns-of-more-parallelism-than-the-flavor-has"),
        ("LLMAZ-072", "warns-of-gpus-that-vllm-never-uses"),
        ("LLMAZ-074", "warns-of-a-version-for-another-vendor"),
        ("LLMAZ-074", "warns-of-an-image-without-a-gpu-backend"),
        ("LLMAZ-074", "warns-of-a-flag-that-no-engine-has"),
        ("LLMAZ-074", "warns-of-a-flag-that-the-runtime-s-engine-lacks"),
        "a Playground's arguments come after the runtime's and replace no list, and a Service has no list below its own",
        ("LLMAZ-079", "warns-of-a-resource-quota"),
    ),
    "aim": (
        ("AIM-096", "warns-of-a-server-at-another-port"),
        ("AIM-097", "warns-of-engine-arguments-for-more-gpus"),
        ("AIM-097", "warns-of-engine-arguments-for-fewer-gpus"),
        _OF_ITS_OWN,
        _OF_ITS_OWN,
        ("AIM-096", "warns-of-an-engine-argument-that-no-engine-has"),
        ("AIM-096", "warns-of-an-engine-argument-that-vllm-lacks"),
        ("AIM-025", "warns-of-engine-arguments-that-are-no-json"),
        ("AIM-092", "warns-of-a-resource-quota"),
    ),
    "inference_extension": (
        ("GIE-016", "warns-of-the-port-of-the-service"),
        *[_NO_ENGINE] * (len(QUESTIONS) - 1),
    ),
}
CELLS: Final = [
    (family, question, *answer)
    for family, answers in ANSWERS.items()
    for question, answer in zip(QUESTIONS, answers, strict=True)
    if not isinstance(answer, str)
]


def starts_an_engine(family: str) -> bool:
    """Whether a predicted pod in some case of a family starts a known engine."""
    decided = (case.decision.effective or {} for case in CASES if case.id.startswith(f"{family}/"))
    pods = (pod for effective in decided for obj in effective.get("objects", ()) for pod in pods_of(obj).values())
    return any(started_in(container) for pod in pods for container in items(pod["spec"], "containers"))


def test_every_family_that_starts_engines_answers_every_question() -> None:
    assert set(ANSWERS) <= {family.name for family in families()}
    starting = {family.name for family in families() if family.predict and starts_an_engine(family.name)}
    assert {"llmaz", "llmkube", "ome"} <= starting
    lacking = ", ".join(sorted(starting - set(ANSWERS)))
    assert not lacking, f"ANSWERS lacks {lacking}: write for each of QUESTIONS a rule with its case, or why the question doesn't arise"
    empty = [
        (family, question)
        for family, answers in ANSWERS.items()
        for question, answer in zip(QUESTIONS, answers, strict=True)
        if not (answer if isinstance(answer, str) else all(answer))
    ]
    assert empty == []


@pytest.mark.parametrize(("family", "question", "rule", "name"), CELLS, ids=[f"{family}-{rule}-{name}" for family, _, rule, name in CELLS])
def test_the_rule_of_a_cell_speaks_in_its_case(family: str, question: str, rule: str, name: str) -> None:
    case = next(case for case in CASES if case.id == f"{family}/{name}")
    decision = decide(case.request(), case.facts(), case.configuration())
    assert rule in {finding.rule for finding in decision.findings}, question
