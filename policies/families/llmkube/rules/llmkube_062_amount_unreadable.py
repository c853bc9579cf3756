"""An amount of CPU or memory isn't a quantity, so the operator panics at every reconcile.

`resources.cpu`, `memory` and `hostMemory` are plain strings in the CRD. If the operator can't parse one of them, it creates
no Deployment and no Service, and writes no status. It doesn't read `memory` if `hostMemory` is set. It silently ignores an
`ephemeralStorage` that it can't parse, and with an amount of 0 the pods are evicted; the rule only warns of both.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

import re
from collections.abc import Iterator

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Severity, Violation, off_metal, part, text
from weighbridge.policies.ground.quantity import Quantity, must_parse_panic


@off_metal.error(
    topic="Services: amounts, secrets, and what the API server refuses",
    about=FAILURE,
    good="accepts-host-memory-in-place-of-memory",
    bad="warns-of-an-amount-of-disk-that-is-dropped",
)
def check(service: Service) -> Said:
    asked = part(service.spec, "resources")
    yield from _storage(text(asked, "ephemeralStorage"))
    for field in ("cpu", "hostMemory" if text(asked, "hostMemory") else "memory"):
        value = text(asked, field)
        if value and must_parse_panic(value):
            near = _nearest(value)
            yield Violation(
                ("spec", "resources", field),
                f'"{value}" is not a quantity; the operator panics on it and creates no Deployment and writes no status',
                found=value,
                expected="a quantity such as 500m or 16Gi",
                hint=f"write {near}" if near else "",
            )


def _storage(value: str) -> Iterator[Violation]:
    """The violation for an amount of disk that can't be used; the operator doesn't fail at it."""
    said = ""
    if value and must_parse_panic(value):
        said = f'"{value}" is not a quantity; the operator ignores it, so the pods neither request nor limit disk'
    elif value and Quantity.parse(value).sign() == 0:
        said = f'"{value}" is 0, so the pods are evicted as soon as they write'
    if said:
        path, expected = ("spec", "resources", "ephemeralStorage"), "a quantity such as 20Gi"
        yield Violation(path, said, found=value, expected=expected, severity=Severity.WARNING)


def _nearest(value: str) -> str:
    """The quantity that may be meant: 4G for `4GB`, 16Gi for `16 GiB`; empty if there is none."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kKmMgGtT])(i?)[bB]?\s*", value)
    if found is None:
        return ""
    near = f"{found[1]}{found[2].upper() if found[3] or found[2] not in 'kK' else 'k'}{found[3]}"
    return "" if must_parse_panic(near) else near
