"""`policies`: the cost of the configuration's policies in a review.

There are a hundred policies with ten validations each, all about the object, half of them about what the operator creates for it. The
review has the phase of the validating webhook. The aim is less than a millisecond for all of them.
"""

from __future__ import annotations

from typing import Any, Final

from tests.programs.benchmarks.timing import Call, fastest
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions

_GROUP: Final = "inference.llmkube.dev"
_API: Final = f"{_GROUP}/v1alpha1"
_COUNT: Final = 100
_ROUNDS: Final = 9
_ROUND_SECONDS: Final = 0.05
#: Ten validations that hold; the number makes each expression different.
VALIDATIONS: Final = (
    "!has(object.spec.replicas) || object.spec.replicas <= 100 + {}",
    "object.metadata.name.size() <= 60 + {}",
    "!has(object.metadata.labels) || !('forbidden-{}' in object.metadata.labels)",
    "!has(object.spec.image) || object.spec.image != 'image-{}'",
    "request.namespace != 'namespace-{}'",
    "effective.pods.all(pod, pod.replicas <= 100 + {})",
    "effective.pods.all(pod, pod.spec.containers.all(container, container.name != 'container-{}'))",
    "effective.images.all(used, used.image != 'image-{}')",
    "effective.services.all(service, service.metadata.name != 'service-{}')",
    "effective.gpus <= 100 + {}",
)
_MODEL: Final[dict[str, Any]] = {
    "apiVersion": _API,
    "kind": "Model",
    "metadata": {"name": "llama", "namespace": "default"},
    "spec": {"source": "https://example.com/llama.gguf", "format": "gguf", "hardware": {"accelerator": "cuda", "gpu": {"count": 1}}},
}
_SERVICE: Final[dict[str, Any]] = {
    "apiVersion": _API,
    "kind": "InferenceService",
    "metadata": {"name": "chat", "namespace": "default", "labels": {"team": "a"}},
    "spec": {"modelRef": "llama", "replicas": 2, "image": "ghcr.io/ggml-org/llama.cpp:server-cuda-b6000"},
}


def configuration(count: int = _COUNT) -> Configuration:
    """A configuration with that many policies, each with all validations."""
    policies = [
        {
            "id": f"POLICY-{number:03}",
            "name": f"policy-{number}",
            "match": {"kinds": [f"InferenceService.{_GROUP}"]},
            "validations": [{"expression": form.format(number), "message": "broken"} for form in VALIDATIONS],
        }
        for number in range(count)
    ]
    return parse({"policies": policies})


def facts() -> Facts:
    """A cluster with the service's model."""
    return from_objects([_MODEL], bundled_definitions())


def review(known: Facts, config: Configuration) -> Decision:
    """One review of the service."""
    gvk = GroupVersionKind(_GROUP, "v1alpha1", "InferenceService")
    request = Request("bench", Operation.CREATE, gvk, dict(_SERVICE), namespace="default", name="chat")
    return decide(request, known, config, Phase.VALIDATE, explains=False)


def main() -> None:
    """Print the table."""
    known, config = facts(), configuration()
    if any(finding.rule.startswith(("POLICY-", "WB-")) for finding in review(known, config).findings):
        raise SystemExit("a policy of the bench speaks; all of them should hold")
    candidates: dict[str, Call] = {"without": (review, (known, DEFAULT)), "with": (review, (known, config))}
    seconds = fastest(candidates, rounds=_ROUNDS, round_seconds=_ROUND_SECONDS)
    cost = seconds["with"] - seconds["without"]
    print(f"{_COUNT} policies of {len(VALIDATIONS)} validations, a review of an InferenceService (aim: less than 1 ms for them)")
    print(f"  without policies  {seconds['without'] * 1000:6.2f} ms")
    print(f"  with them         {seconds['with'] * 1000:6.2f} ms")
    print(f"  the policies      {cost * 1000:6.2f} ms, {cost / _COUNT / len(VALIDATIONS) * 1e9:.0f} ns a validation")
