"""The operator's version drops the node selector and tolerations of a service without a GPU.

Until v0.9.16 the operator writes both only into pods with a counted GPU; a CPU pod is scheduled to any node. Upgrade the
operator, or taint the nodes that the pod must not use.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; upstream issue 1503.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, with_model


@with_model.warning(
    topic="Services: GPUs and nodes",
    good="leaves-the-image-of-the-operators-administrator",
    bad="warns-of-a-selector-that-an-old-operator-drops",
)
def check(service: Service) -> Said:
    if service.gpus.present or service.operator.since(0, 9, 17):
        return
    for field in service.names("nodeSelector", "tolerations"):
        said = f"{service.operator.name} ignores it, since the pods request no GPU"
        yield Violation(("spec", field), said, expected="LLMKube v0.9.17 or newer")
