"""The pod holds a GPU, and an argument tells the engine not to use it.

With `--n-gpu-layers 0` or `--device none` llama.cpp computes on the CPU, and so does SGLang with `--device cpu`. The device is taken from
everybody else and stays idle. Remove the argument, or the GPU.

Source: llama.cpp, common/arg.cpp; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.arguments import place, shown
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

#: What switches the GPU off, by the meaning of the flag.
_OFF: Final = {"gpu layers": frozenset({"0"}), "device": frozenset({"none", "cpu"})}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if not serving.has_own_arguments or serving.pod_model is None or not serving.gpus.present or serving.started is None:
        return
    found = serving.started
    for meaning, values in _OFF.items():
        given = found.line.final(meaning)
        if given is not None and given.value in values:
            gpus = serving.gpus
            held = f"{gpus.count} {gpus.resource}" if gpus.count else "a claimed GPU"
            yield RULE.finding(
                place(found, given.at),
                f"{shown(given)} makes {found.table.engine} compute on the CPU, but the pod holds {held}",
                found=given.value,
                hint=f"remove {given.written}, or ask for no GPU",
            )


RULE = Rule(
    id="LLMKUBE-161",
    name="gpu-switched-off",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="llama.cpp common/arg.cpp",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nextraArgs: [--n-gpu-layers, '20']",
    bad="modelRef: gguf\nextraArgs: [--n-gpu-layers, '0']",
)
