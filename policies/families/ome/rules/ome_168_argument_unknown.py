"""The engine can't read an argument.

Engines fail at a flag that they don't know, at a flag without its value, and at a word that belongs to no flag; the container then restarts
again and again. The rule looks up flags in the engine's own list, for the version that the finding names; a newer image may have more
flags, so the rule only warns. It ignores flags of older versions, because the image may be older. It judges a service as OME merges it with
its runtime. Correct the flag, or remove it.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7; Triton, src/command_line_parser.cc.
"""

from collections.abc import Sequence

from weighbridge.policies.families.ome.rulebook import Said, StartedEngine, engines
from weighbridge.policies.families.serving_engines.faults import unreadable


@engines.warning(good="accepts-a-flag-of-an-older-version", bad="warns-of-a-flag-that-no-engine-has")
def check(containers: Sequence[StartedEngine]) -> Said:
    for one in containers:
        for fault in unreadable(one.started) if one.started is not None else ():
            yield fault.violation(one.path(*fault.place))
