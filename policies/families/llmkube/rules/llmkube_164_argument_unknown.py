"""The engine has no such argument.

Engines stop at a flag that they don't know, and the container restarts for good. Flags are looked up in the engine's own list: of
llama.cpp in that of 2025 and 2026, of vLLM, SGLang and TGI in that of the version which the operator starts. A newer image may have more,
so this only warns. Flags of older versions are spoken of only where the operator chooses the image.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.engines.command_line import Started
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.arguments import place, source_of
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.families.serving_engines.command_line import Problem, Trouble
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    found = serving.started
    if serving.pod_model is None or found is None:
        return
    for problem in found.line.problems:
        if problem.trouble is Trouble.UNKNOWN:
            yield from _unknown(serving, found, problem)
        elif problem.trouble is Trouble.STRAY and found.item(problem.at) >= 0:
            yield RULE.finding(
                place(found, problem.at),
                f"{problem.word} is no flag of {found.table.engine} and no value of one",
                found=problem.word,
                hint="write the flag before it, or remove it",
            )


def _unknown(serving: Serving, found: Started, problem: Problem) -> Iterator[Finding]:
    table, word = found.table, problem.word.partition("=")[0]
    is_older = table.spelled(word) in table.older
    if is_older and serving.has_own_image:
        return
    is_extra, source = found.item(problem.at) >= 0, source_of(found, problem.at) or "spec.command"
    by = "" if is_extra else f", which comes from {source}"
    instead = f"write {problem.nearest}" if problem.nearest else f"remove it: {table.engine} stops at a flag that it doesn't know"
    has = f"{table.engine} {table.version} no longer has {word}" if is_older else f"{table.engine} {table.version} has no flag {word}"
    yield RULE.finding(
        place(found, problem.at),
        f"{has}{by}",
        found=word,
        nearest=problem.nearest,
        hint=instead if is_extra else f"remove {source.rpartition(' ')[2]}, and pass in extraArgs what you need",
    )


RULE = Rule(
    id="LLMKUBE-164",
    name="argument-unknown",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="llama.cpp common/arg.cpp",
    reads=("Deployment.apps", "InferenceService", "Model"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nextraArgs: [--ctx-size, '4096']",
    bad="modelRef: gguf\nextraArgs: [--context-size, '4096']",
)
