"""A flag has no value, or has it where the engine doesn't look for it.

Each item of `extraArgs` is one word: `--ctx-size 4096` in one item is a flag that no engine has. llama.cpp doesn't take `--flag=value`
either. A switch takes no value at all, and the flag at the end of the list may lack its value. In each case the engine stops.

Source: llama.cpp, common/arg.cpp; Python's argparse; clap 4.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.engines.command_line import Started
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.arguments import place, word_shown
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.families.serving_engines.command_line import Problem, Trouble
from policies.families.serving_engines.flags import Style
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if not serving.has_own_arguments or serving.pod_model is None or serving.started is None:
        return
    found = serving.started
    for problem in found.line.problems:
        finding = _finding(serving, found, problem)
        if finding is not None:
            is_sure = serving.runs_its_engine and not _takes_next_flag(found, problem)
            yield finding if is_sure else replace(finding, severity=Severity.WARNING)


def _takes_next_flag(found: Started, problem: Problem) -> bool:
    """Whether the engine takes the flag that follows for the value; some values may be any text."""
    is_last = problem.at == len(found.origins) - 1
    return problem.trouble is Trouble.NO_VALUE and found.table.style is Style.LLAMA_CPP and not is_last


def _finding(serving: Serving, found: Started, problem: Problem) -> Finding | None:
    path, word, engine = place(found, problem.at), word_shown(found.table, problem.word), found.table.engine
    match problem.trouble:
        case Trouble.NO_VALUE:
            why = "the next word is a flag" if _takes_next_flag(found, problem) else f"{engine} stops here"
            return RULE.finding(path, f"{word} has no value: {why}", found=word, hint="write the value as the next item, or remove it")
        case Trouble.SPACED | Trouble.JOINED:
            words = ", ".join(word.split(None if problem.trouble is Trouble.SPACED else "=", 1))
            why = "is one word, and" if problem.trouble is Trouble.SPACED else "has its value in the same word, and"
            message = f"{word} {why} {engine} stops at a flag that it doesn't know"
            return RULE.finding(path, message, found=word, expected=f"[{words}]", hint=f"write two items: [{words}]")
        case Trouble.NOT_TAKEN:
            name = word.partition("=")[0]
            message = f"{name} is a switch and takes no value: {engine} stops here"
            return RULE.finding(path, message, found=word, expected=name, hint=f"write {name}")
    return None


RULE = Rule(
    id="LLMKUBE-165",
    name="argument-without-value",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="llama.cpp common/arg.cpp",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nextraArgs: [--ctx-size, '4096']",
    bad="modelRef: gguf\nextraArgs: [--ctx-size=4096]",
)
