"""An argument is given twice.

llama.cpp, vLLM and SGLang take the last one, so the first has no effect. TGI stops at the second one, even where the operator gave the
first. vLLM takes the model as its first word, and stops where `--model` names one too. Flags of which every occurrence counts, such as
`--lora` of llama.cpp, aren't meant.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1, vllm/utils/argparse_utils.py; clap 4.5, ArgAction::Set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmkube.subject.arguments import place, shown, source_of
from weighbridge.policies.ground.findings import Severity


@services.error(
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    good="accepts-a-value-that-begins-with-a-hyphen",
    bad="refuses-a-second-model-for-vllm",
)
def check(serving: Serving) -> Said:
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
            finding = Violation(
                place(found, lost.at),
                f"{shown(lost)} has no effect: {shown(last)} comes after it",
                found=shown(lost),
                expected=shown(last),
                hint="remove one of the two",
            )
            yield replace(finding, severity=Severity.WARNING)


def _stops(serving: Serving, found: Started) -> Iterator[Violation]:
    if not found.line.stops_at_repeats:
        return
    for lost, last in found.line.overridden():
        if found.item(last.at) >= 0:
            source = source_of(found, lost.at) if found.item(lost.at) < 0 else "extraArgs"
            yield Violation(
                place(found, last.at),
                f"{found.table.engine} doesn't start: {last.flag.name} is given twice, first by {source}",
                found=shown(last),
                expected=f"{last.flag.name} once",
                hint=f"remove {last.written} from extraArgs",
            )


def _second_model(serving: Serving, found: Started) -> Iterator[Violation]:
    given = found.line.final("model")
    if given is None or not found.table.first_word or not found.line.words or serving.launch.command[:2] != ("vllm", "serve"):
        return
    first = found.line.words[0][1]
    finding = Violation(
        place(found, given.at),
        f"{found.table.engine} doesn't start: the operator gives the model {first} as the first word, and {shown(given)} gives another",
        found=given.value,
        hint="set the Model's source instead",
    )
    yield replace(finding, severity=Severity.WARNING) if serving.has_own_image else finding
