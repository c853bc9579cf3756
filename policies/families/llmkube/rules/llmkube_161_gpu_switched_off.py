"""The pod holds a GPU, but an argument switches it off.

With `--n-gpu-layers 0` or `--device none` llama.cpp computes on the CPU, and so does SGLang with `--device cpu`. The device stays idle,
and no other pod can use it. Remove the argument, or the GPU.

Source: llama.cpp, common/arg.cpp; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.own_arguments import place, shown
from weighbridge.policies.families.llmkube.rulebook import Arguments, Said, Violation, command_lines

#: The values that switch the GPU off, by the meaning of the flag.
_OFF: Final = {"gpu layers": frozenset({"0"}), "device": frozenset({"none", "cpu"})}


@command_lines.warning(
    topic="Services: arguments of the engine", good="accepts-some-layers-on-the-gpu", bad="warns-of-no-device-for-the-gpu"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    if not service.has_own_arguments or not service.gpus.present:
        return
    for meaning, values in _OFF.items():
        flag = found.line.final(meaning)
        if flag is not None and flag.value in values:
            yield Violation(
                place(found, flag.at),
                f"{shown(flag)} makes {found.table.engine} compute on the CPU, but the pod holds {service.gpus.held}",
                found=flag.value,
                hint=f"remove {flag.written}, or request no GPU",
            )
