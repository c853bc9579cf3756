"""The loader can't fetch a claimed model from S3 or GCS.

The loader gets no variables for such a source and fails. Use an engine that reads the source itself, and add the
annotation `llmaz.io/skip-model-loader: "true"`.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, services


@services.warning(good="accepts-storage-that-the-engine-reads", bad="warns-of-storage-that-the-loader-cannot-read")
def check(service: Service) -> Said:
    for model, source in service.claimed_sources:
        if source.scheme in ("S3", "GCS") and not service.skips:
            message = f"the loader can't fetch OpenModel {model.name} of {source.scheme}"
            hint = 'add the annotation llmaz.io/skip-model-loader: "true" and an engine that reads it'
            yield Violation(model.path, message, hint, source.uri)
