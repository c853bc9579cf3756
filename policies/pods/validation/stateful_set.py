"""Checks whether the API server accepts a StatefulSet that a controller creates from its users' pod template.

It checks the template and the claims. Source: Kubernetes v1.36, pkg/apis/apps/validation (ValidateStatefulSetSpec).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.service import claim_spec_errors
from weighbridge.policies.pods.validation.template import endless_pod_errors, template_errors

#: The fields that the controller overwrites, which aren't checked.
_OVERWRITTEN: Final = ("hostname", "subdomain")


def stateful_set_errors(template: JSONObject, path: str = "spec.template", claims: Sequence[JSONObject] = ()) -> Iterator[FieldError]:
    """The errors of the template of a StatefulSet, and of the `claims` that it creates for each of its pods."""
    for index, claim in enumerate(claims):
        yield from claim_spec_errors(part(claim, "spec"), f"spec.volumeClaimTemplates[{index}].spec")
    spec = {name: value for name, value in part(template, "spec").items() if name not in _OVERWRITTEN}
    if claims:
        # The controller adds a volume for each claim, which replaces one with the same name.
        made: list[JSONObject] = [{"name": name_of(claim), "persistentVolumeClaim": {"claimName": "its"}} for claim in claims]
        names = {one["name"] for one in made}
        spec = {**spec, "volumes": [*made, *(one for one in items(spec, "volumes") if text(one, "name") not in names)]}
    yield from template_errors({**template, "spec": spec}, path)
    yield from endless_pod_errors(spec, f"{path}.spec", "StatefulSet")
