"""An argument is given twice.

llama.cpp, vLLM and SGLang use the last occurrence, so the first has no effect. TGI fails at the second one, even if the operator added
the first. vLLM takes the model as its first argument, and fails if `--model` names one too. The rule ignores flags that may be
repeated, such as `--lora` of llama.cpp.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1, vllm/utils/argparse_utils.py; clap 4.5, ArgAction::Set.
"""

from collections.abc import Iterator

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import place, shown, source_of
from weighbridge.policies.families.llmkube.rulebook import Arguments, Said, Service, Severity, Violation, command_lines
from weighbridge.policies.ground.records import replace


@command_lines.error(
    topic="Services: arguments of the engine", good="accepts-a-value-that-begins-with-a-hyphen", bad="refuses-a-second-model-for-vllm"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    if not service.spec.get("extraArgs"):
        return
    # Some versions of the operator pass extraArgs four times, so the same finding would come three times.
    for finding in dict.fromkeys((*_stops(found), *_second_model(service, found))):
        yield finding if service.runs_its_engine else replace(finding, severity=Severity.WARNING)
    for lost, last in () if found.line.stops_at_repeats else found.line.overridden():
        if found.item(lost.at) >= 0 and found.item(last.at) >= 0 and lost.value != last.value:
            yield Violation(
                place(found, lost.at),
                f"{shown(lost)} has no effect: {shown(last)} comes after it",
                found=shown(lost),
                expected=shown(last),
                hint="remove one of the two",
                severity=Severity.WARNING,
            )


def _stops(found: Started) -> Iterator[Violation]:
    for lost, last in found.line.overridden() if found.line.stops_at_repeats else ():
        if found.item(last.at) >= 0:
            source = source_of(found, lost.at) if found.item(lost.at) < 0 else "extraArgs"
            yield Violation(
                place(found, last.at),
                f"{found.table.engine} doesn't start: {last.flag.name} is given twice, first by {source}",
                found=shown(last),
                expected=f"{last.flag.name} once",
                hint=f"remove {last.written} from extraArgs",
            )


def _second_model(service: Service, found: Started) -> Iterator[Violation]:
    flag = found.line.final("model")
    if flag is None or not found.table.first_word or not found.line.words or service.launch.command[:2] != ("vllm", "serve"):
        return
    first = found.line.words[0][1]
    yield Violation(
        place(found, flag.at),
        f"{found.table.engine} doesn't start: the operator gives the model {first} as the first word, and {shown(flag)} gives another",
        found=flag.value,
        hint="set the Model's source instead",
        severity=Severity.WARNING if service.has_own_image else None,
    )
