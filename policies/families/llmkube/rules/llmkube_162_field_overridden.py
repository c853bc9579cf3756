"""An argument overrides a field.

The operator turns fields into flags and puts `extraArgs` after them; the engine uses the last occurrence of a flag. With
`contextSize: 8192` and `--ctx-size 4096` the context is 4096, and the field misleads its readers. The operator leaves out
some flags, such as `--parallel`, if `extraArgs` has them; then the field has no effect either. Keep the one that you mean.

Source: LLMKube v0.9.19, internal/controller/runtime_*.go; the engines' parsers.
"""

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN
from weighbridge.policies.families.llmkube.predictions.own_arguments import place, shown
from weighbridge.policies.families.llmkube.rulebook import Arguments, Said, Violation, command_lines, part
from weighbridge.policies.families.serving_engines.command_line import GivenFlag

#: Flags that other rules are about, by their meaning.
_ELSEWHERE: Final = ("port",)
#: Flags that the operator leaves out if `extraArgs` has them, by engine, with the field that they come from.
_LEFT_OUT: Final = (
    ("llama.cpp", "slots", ("parallelSlots",)),
    ("vLLM", "slots", ("parallelSlots",)),
    ("llama.cpp", "rope scaling", ("ropeScaling", "type")),
    *((engine, "host", ("bindAddress",)) for engine in ("llama.cpp", "vLLM", "SGLang", "TGI")),
)


@command_lines.warning(
    topic="Services: arguments of the engine", good="leaves-the-cpu-image-of-a-cpu-model", bad="warns-of-a-model-path-among-the-arguments"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    elsewhere = [found.table.named(meaning) for meaning in _ELSEWHERE]
    for lost, last in () if found.line.stops_at_repeats else found.line.overridden():
        if found.item(lost.at) < 0 <= found.item(last.at) and last.flag not in elsewhere and lost.value not in {"", last.value}:
            yield from _overridden(found, lost, last)
    for engine, meaning, field in _LEFT_OUT:
        flag = found.line.final(meaning) if engine == found.table.engine else None
        written = part(service.spec, *field[:-1]).get(field[-1])
        if flag is None or found.item(flag.at) < 0 or written in (None, "", 0) or str(written) == flag.value:
            continue
        if not any(found.item(other.at) < 0 for other in found.line.all_of(flag.flag)):
            yield _finding(found, flag, f"spec.{'.'.join(field)}", str(written))


def _overridden(found: Started, lost: GivenFlag, last: GivenFlag) -> Iterator[Violation]:
    """The violation for an overridden field; none if the overridden flag comes from the operator itself."""
    value = found.origins[lost.at].value
    if value < 0:
        return
    before = found.noted[value]
    model = found.table.named("model")
    if before.source.startswith(("InferenceService ", "Model ")) and (before.reason == AS_WRITTEN or last.flag is model):
        owner, _, field = before.source.rpartition(" ")
        yield _finding(found, last, field if owner.startswith("InferenceService") else f"{owner} {field}", lost.value)


def _finding(found: Started, last: GivenFlag, field: str, before: str) -> Violation:
    return Violation(
        place(found, last.at),
        f"{shown(last)} overrides {before} from {field}",
        found=last.value,
        expected=before,
        hint=f"remove {last.written} from extraArgs, or change {field}",
    )
