"""A protocol of a runtime is none of OME's.

`protocolVersions` are free texts that only OME's webhook compares, between runtimes that have the same format and priority.

Source: OME v0.1.5 pkg/constants/constants.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import texts
from weighbridge.policies.ground.objects import Path

_PROTOCOLS: Final = ("openAI", "openInference-v1", "openInference-v2", "cohere")


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="refuses-a-runtime-of-no-workers",
    bad="warns-of-an-unknown-protocol",
)
def check(given: Given) -> Said:
    for index, name in enumerate(texts(given.spec, "protocolVersions")):
        if name not in _PROTOCOLS:
            path: Path = ("spec", "protocolVersions", index)
            yield Violation(path, f'"{name}" is no protocol that OME knows', found=name, expected=", ".join(_PROTOCOLS))
