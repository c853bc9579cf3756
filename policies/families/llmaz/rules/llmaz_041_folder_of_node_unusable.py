"""The loader can't serve a model from a folder on the node.

llmaz gives the folder's volume the name of the volume for downloads, so the API server refuses the LeaderWorkerSet. Serve the model from a
hub or from storage.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Service, Violation, services


@services.error(about=FAILURE, good="accepts-a-model-of-a-hub-in-a-playground", bad="refuses-a-folder-of-the-node")
def check(service: Service) -> Said:
    for model, source in service.claimed_sources:
        if source.scheme == "HOST" and not service.skips:
            message = f"OpenModel {model.name} is in a folder of the node, and llmaz gives two volumes the same name"
            yield Violation(model.path, message, "serve it from a hub or from storage", source.uri)
