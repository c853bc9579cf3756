"""The pod holds a GPU, and an argument tells the engine not to use it.

With `--n-gpu-layers 0` or `--device none` llama.cpp computes on the CPU, and so does SGLang with `--device cpu`. The device is taken from
everybody else and stays idle. Remove the argument, or the GPU.

Source: llama.cpp, common/arg.cpp; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmkube.subject.arguments import place, shown

#: What switches the GPU off, by the meaning of the flag.
_OFF: Final = {"gpu layers": frozenset({"0"}), "device": frozenset({"none", "cpu"})}


@services.warning(
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    good="accepts-some-layers-on-the-gpu",
    bad="warns-of-no-device-for-the-gpu",
)
def check(serving: Serving) -> Said:
    if not serving.has_own_arguments or serving.pod_model is None or not serving.gpus.present or serving.started is None:
        return
    found = serving.started
    for meaning, values in _OFF.items():
        given = found.line.final(meaning)
        if given is not None and given.value in values:
            gpus = serving.gpus
            held = f"{gpus.count} {gpus.resource}" if gpus.count else "a claimed GPU"
            yield Violation(
                place(found, given.at),
                f"{shown(given)} makes {found.table.engine} compute on the CPU, but the pod holds {held}",
                found=given.value,
                hint=f"remove {given.written}, or ask for no GPU",
            )
