"""A pool lists a member twice, or one without a name.

The pool's status lists members by name. With one that is there twice the API server refuses every status that the
operator writes, and a swap is kept track of nowhere else; one without a name is passed over.

Source: LLMKube v0.9.19, config/crd/bases and internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.pooling import member_names
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    names = member_names(request.object)
    for index, name in enumerate(names):
        path = ("spec", "members", index, "inferenceServiceRef", "name")
        if not name:
            yield RULE.finding(path, "is empty; it must name a service", expected="the name of an InferenceService")
        elif name in names[:index]:
            yield RULE.finding(path, f"\"{name}\" is listed already; the pool's status can't hold it twice", found=name)


RULE = Rule(
    id="LLMKUBE-135",
    name="pool-member-twice",
    severity=Severity.ERROR,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}, {inferenceServiceRef: {name: mistral}}]",
    bad="members: [{inferenceServiceRef: {name: llama}}, {inferenceServiceRef: {name: llama}}]",
)
