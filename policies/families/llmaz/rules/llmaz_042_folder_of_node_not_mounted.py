"""A model in a folder on the node isn't mounted.

Without the loader the engine gets the path, but the pod has no volume for it, so the path is inside the container. Mount the folder
in the templates of a Service.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, items, part, services


@services.warning(good="accepts-storage-that-the-engine-reads", bad="warns-of-a-folder-that-is-not-mounted")
def check(service: Service) -> Said:
    templates = part(service.object, "spec", "workloadTemplate")
    containers = [container for name in templates for container in items(templates, name, "spec", "containers")]
    if not service.skips or any(items(container, "volumeMounts") for container in containers):
        return
    for model, source in service.claimed_sources:
        if source.scheme == "HOST":
            message = f"OpenModel {model.name} is in a folder of the node, which no volume brings into the pods"
            yield Violation(model.path, message, "mount the folder in the templates of a Service", source.uri)
