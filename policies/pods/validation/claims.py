"""The API server's checks of a pod's claims of devices, and of the containers' references to them.

Source: Kubernetes v1.37, pkg/apis/core/validation (validatePodResourceClaims, validateContainerResourceClaims).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError, value_errors
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.requests import containers
from weighbridge.policies.pods.validation.wordings import NO_CLAIM, SEVERAL_CLAIMS, no_such_claim, printed
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain

_SOURCES: Final = ("resourceClaimName", "resourceClaimTemplateName")


def pod_claim_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the claims of a pod and of all references to them."""
    claims = items(spec, "resourceClaims")
    yield from claim_errors(claims, f"{path}.resourceClaims")
    names = names_of(claims)
    for kind, index, container in containers(spec):
        yield from reference_errors(container, f"{path}.{kind}[{index}]", names)


def names_of(claims: list[JSONObject]) -> set[str]:
    """The names by which containers refer to claims."""
    return {text(claim, "name") for claim in claims} - {""}


def claim_errors(claims: list[JSONObject], path: str) -> Iterator[FieldError]:
    """The errors of the claims of a pod."""
    seen = set[str]()
    for index, claim in enumerate(claims):
        where, name = f"{path}[{index}]", text(claim, "name")
        if not name:
            yield FieldError(ErrorType.REQUIRED, f"{where}.name")
        elif name in seen:
            yield FieldError(ErrorType.DUPLICATE, f"{where}.name", name)
        else:
            yield from value_errors(f"{where}.name", name, dns1123_label(name))
        seen.add(name)
        named = [field for field in _SOURCES if isinstance(claim.get(field), str)]
        if len(named) != 1:
            shown = json_text({"Name": name} | {f"R{field[1:]}": claim.get(field) for field in _SOURCES})
            yield FieldError(ErrorType.INVALID, where, OMITTED, printed(shown, SEVERAL_CLAIMS if named else NO_CLAIM))
        for field in named:
            yield from value_errors(f"{where}.{field}", claim[field], dns1123_subdomain(claim[field]))


def reference_errors(container: JSONObject, path: str, claims: set[str]) -> Iterator[FieldError]:
    """The errors of a container's references to the claims with these names."""
    seen = Counter[str]()
    for index, claim in enumerate(items(container, "resources", "claims")):
        where, name = f"{path}.resources.claims[{index}]", text(claim, "name")
        if not name:
            yield FieldError(ErrorType.REQUIRED, where)
            continue
        yield from _repeated(claim, seen, where)
        if name not in claims:
            yield FieldError(ErrorType.NOT_FOUND, where, name, no_such_claim(sorted(claims)))


def _repeated(claim: JSONObject, seen: Counter[str], path: str) -> Iterator[FieldError]:
    """The errors of a reference to a claim, or to one of its requests, that repeats an earlier one. The reference is added to `seen`.

    `seen` has each reference once, and under the claim's name with a slash the number of requests of a claim.
    """
    name, request = text(claim, "name"), text(claim, "request")
    if name in seen:
        yield FieldError(ErrorType.DUPLICATE, path, name)
        return
    yield from value_errors(f"{path}.request", request, dns1123_label(request) if request else ())
    key = f"{name}/{request}" if request else name
    if key in seen:
        yield FieldError(ErrorType.DUPLICATE, path, key)
        return
    if not request:
        yield from (FieldError(ErrorType.DUPLICATE, path, name) for _ in range(seen[f"{name}/"]))
    else:
        seen[f"{name}/"] += 1
    seen[key] += 1
