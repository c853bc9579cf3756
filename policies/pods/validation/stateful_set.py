"""What the API server says against a StatefulSet as a controller makes it of a pod template that users write.

Checked are the template and the claims. Source: Kubernetes v1.36, pkg/apis/apps/validation (ValidateStatefulSetSpec).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.service import claim_spec_errors
from weighbridge.policies.pods.validation.template import endless_pod_errors, template_errors

#: What the controller writes over, so that it isn't looked at.
_OVERWRITTEN: Final = ("hostname", "subdomain")


def stateful_set_errors(template: JSONObject, path: str = "spec.template", claims: Sequence[JSONObject] = ()) -> Iterator[FieldError]:
    """What is wrong with the template of a StatefulSet, and with the `claims` that it makes for each of its pods."""
    for index, claim in enumerate(claims):
        yield from claim_spec_errors(part(claim, "spec"), f"spec.volumeClaimTemplates[{index}].spec")
    spec = {name: value for name, value in part(template, "spec").items() if name not in _OVERWRITTEN}
    if claims:
        # The controller adds a volume for each claim, in place of one of the same name.
        made: list[JSONObject] = [{"name": name_of(claim), "persistentVolumeClaim": {"claimName": "its"}} for claim in claims]
        names = {one["name"] for one in made}
        spec = {**spec, "volumes": [*made, *(one for one in items(spec, "volumes") if text(one, "name") not in names)]}
    yield from template_errors({**template, "spec": spec}, path)
    yield from endless_pod_errors(spec, f"{path}.spec", "StatefulSet")
