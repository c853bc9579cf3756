"""A service asks for an image that several models have.

By an image the operator finds the models whose image is the same text, of the namespace and of the cluster. With more than one it doesn't
choose: the service is Degraded (kaiwo: Failed) for good. Name the model instead.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.model import same_image
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, name_of
from policies.request import Request
from policies.spelling import listed


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    if serving.model is not None and serving.model.reason in ("UnknownError", "MultipleModelsFound"):
        image = text(part(spec_of(request.object), "model"), "image")
        found = same_image(image, request.gvk.group, serving.namespace, facts)
        yield RULE.finding(
            ("spec", "model", "image"),
            f"{len(found)} models have this image, and the operator chooses none: {listed([_titled(model) for model in found])}",
            found=image,
            hint=f"name one of them in spec.model.{serving.dialect.reference}",
        )


def _titled(model: JSONObject) -> str:
    return f"{model.get('kind')} {name_of(model)}"


RULE = Rule(
    id="AIM-004",
    name="image-of-several-models",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    mirrors="MultipleModelsFound",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMModel
metadata: {name: one, namespace: default}
spec: {image: "ghcr.io/acme/twice:1.0"}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMClusterModel
metadata: {name: two}
spec: {image: "ghcr.io/acme/twice:1.0"}""",
    check=_check,
    good='model: {image: "ghcr.io/acme/llama:1.0"}',
    bad='model: {image: "ghcr.io/acme/twice:1.0"}',
)
