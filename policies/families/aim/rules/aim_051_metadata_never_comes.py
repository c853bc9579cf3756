"""A model waits for metadata that is never extracted.

With `discovery.extractMetadata: false` and no `imageMetadata` the operator never creates the templates (`createServiceTemplates`, true by
default). The model stays Progressing, and its custom templates aren't created either. Set `discovery.createServiceTemplates: false`, or
set `imageMetadata`.

Source: aim-engine v0.2.1, internal/aimmodel.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, new_specs, part


@new_specs.error(
    kinds=("AIMModel", "AIMClusterModel"),
    mirrors="AwaitingMetadata",
    good="accepts-a-model-without-discovery",
    bad="refuses-a-model-that-waits-for-its-metadata",
)
def check(spec: JSONObject) -> Said:
    discovery = part(spec, "discovery")
    waits = discovery.get("extractMetadata") is False and discovery.get("createServiceTemplates") is not False
    if waits and not part(spec, "imageMetadata") and not items(spec, "modelSources"):
        yield Violation(
            ("spec", "discovery", "extractMetadata"),
            "no template can be created: the metadata is neither extracted nor given",
            found="false",
            hint="set discovery.createServiceTemplates: false, or give spec.imageMetadata",
        )
