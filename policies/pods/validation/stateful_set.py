"""What the API server says against a StatefulSet as a controller makes it of a pod template that users write.

Checked is the template. Source: Kubernetes v1.36, pkg/apis/apps/validation (ValidateStatefulSetSpec).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.template import endless_pod_errors, template_errors

#: What the controller writes over, so that it isn't looked at.
_OVERWRITTEN: Final = ("hostname", "subdomain")


def stateful_set_errors(template: JSONObject, path: str = "spec.template") -> Iterator[FieldError]:
    """What is wrong with the template of a StatefulSet."""
    spec = {name: value for name, value in part(template, "spec").items() if name not in _OVERWRITTEN}
    yield from template_errors({**template, "spec": spec}, path)
    yield from endless_pod_errors(spec, f"{path}.spec", "StatefulSet")
