"""The engine can't read an argument.

Engines stop at a flag that they don't know, at one without its value, and at a word that belongs to no flag; the container then restarts
for good. The rule looks flags up in the engine's own list, of the version that it names; a newer image may have more, so this only warns.
It passes over flags that older versions had, since the image may be one. It judges what the merge of service and runtime gives. Correct the
flag, or remove it.

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
