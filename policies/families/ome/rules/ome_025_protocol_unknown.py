"""OME doesn't know a protocol of a runtime.

The CRD accepts any text in `protocolVersions`. Only OME's webhook compares them, between runtimes with the same format and priority.
Write one of the protocols that OME knows.

Source: OME v0.1.5, pkg/constants/constants.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, runtimes, texts

_PROTOCOLS: Final = ("openAI", "openInference-v1", "openInference-v2", "cohere")


@runtimes.warning(good="accepts-the-protocols-of-ome", bad="warns-of-an-unknown-protocol")
def check(runtime: Runtime) -> Said:
    for index, name in enumerate(texts(runtime.spec, "protocolVersions")):
        if name not in _PROTOCOLS:
            path = ("spec", "protocolVersions", index)
            yield Violation(path, f'OME has no protocol "{name}"', found=name, expected=", ".join(_PROTOCOLS))
