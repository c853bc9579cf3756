"""An argument is given twice.

llama.cpp, vLLM and SGLang take the last one, so the first has no effect. TGI stops at the second one, even where the operator gave the
first. vLLM takes the model as its first word, and stops where `--model` names one too. Flags of which every occurrence counts, such as
`--lora` of llama.cpp, aren't meant.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1, vllm/utils/argparse_utils.py; clap 4.5, ArgAction::Set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.engines.command_line import Started
from policies.families.llmkube.rules._examples import REPOSITORY_MODEL
from policies.families.llmkube.subject.arguments import place, shown, source_of
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if not serving.spec.get("extraArgs") or serving.pod_model is None or serving.started is None:
        return
    found = serving.started
    # Some operators pass extraArgs four times, so the same finding would come three times.
    for finding in dict.fromkeys((*_stops(serving, found), *_second_model(serving, found))):
        yield finding if serving.runs_its_engine else replace(finding, severity=Severity.WARNING)
    if found.line.stops_at_repeats:
        return
    for lost, last in found.line.overridden():
        if found.item(lost.at) >= 0 and found.item(last.at) >= 0 and lost.value != last.value:
            finding = RULE.finding(
                place(found, lost.at),
                f"{shown(lost)} has no effect: {shown(last)} comes after it",
                found=shown(lost),
                expected=shown(last),
                hint="remove one of the two",
            )
            yield replace(finding, severity=Severity.WARNING)


def _stops(serving: Serving, found: Started) -> Iterator[Finding]:
    if not found.line.stops_at_repeats:
        return
    for lost, last in found.line.overridden():
        if found.item(last.at) >= 0:
            source = source_of(found, lost.at) if found.item(lost.at) < 0 else "extraArgs"
            yield RULE.finding(
                place(found, last.at),
                f"{found.table.engine} doesn't start: {last.flag.name} is given twice, first by {source}",
                found=shown(last),
                expected=f"{last.flag.name} once",
                hint=f"remove {last.written} from extraArgs",
            )


def _second_model(serving: Serving, found: Started) -> Iterator[Finding]:
    given = found.line.final("model")
    if given is None or not found.table.first_word or not found.line.words or serving.launch.command[:2] != ("vllm", "serve"):
        return
    first = found.line.words[0][1]
    finding = RULE.finding(
        place(found, given.at),
        f"{found.table.engine} doesn't start: the operator gives the model {first} as the first word, and {shown(given)} gives another",
        found=given.value,
        hint="set the Model's source instead",
    )
    yield replace(finding, severity=Severity.WARNING) if serving.has_own_image else finding


RULE = Rule(
    id="LLMKUBE-163",
    name="argument-repeated",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="llama.cpp common/arg.cpp",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=REPOSITORY_MODEL,
    check=_check,
    good="modelRef: repo\nruntime: tgi\nextraArgs: [--max-batch-size, '4']",
    bad="modelRef: repo\nruntime: tgi\nextraArgs: [--port, '80']",
)
