"""An accelerator class gives the container fewer GPUs than its command line needs.

The class's `resources` overwrite those of the runtime, and the default quantity is 1. A runtime for eight GPUs then gets one, but its
tensor parallel size is still 8, so the engine doesn't start. Choose a class whose quantity fits, or write the resources into the service's
own runner, which the class doesn't change.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from weighbridge.policies.families.ome.rulebook import CLASS_READS, JSONObject, Said, Service, Violation, deployed, items, part
from weighbridge.policies.families.ome.subject.components import configured
from weighbridge.policies.families.ome.subject.parallelism import gpus_of, world_of


@deployed.warning(reads=CLASS_READS, good="accepts-a-class-of-eight-gpus", bad="warns-of-a-class-that-lowers-the-gpus")
def check(service: Service) -> Said:
    runtime = service.runtime
    for component, choice in service.classes.items():
        if choice.accelerator is None or runtime is None:
            continue
        own, base = part(service.spec, component, "runner"), part(configured(runtime.spec, component), "runner")
        is_set_for_class = any(choice.name in part(item, "acceleratorConfig") for item in items(runtime.spec, "supportedModelFormats"))
        if part(own, "resources") or is_set_for_class:
            continue
        merged: JSONObject = {**base, **{key: own[key] for key in ("command", "args") if own.get(key)}}
        demand, before = world_of(merged), gpus_of(base)
        count = choice.accelerator.resources.get(before[0]) if before is not None else None
        if demand is None or before is None or count is None or count.value() >= min(demand.gpus, before[1]):
            continue
        yield Violation(
            choice.path,
            f"AcceleratorClass {choice.name} lowers {component} from {before[1]} to {count} {before[0]}, "
            f"but its command line has {demand.words}",
            found=choice.name,
            expected=f"{demand.gpus} {before[0]}",
            hint="choose a class with that quantity, or write the resources in the service's own runner",
        )
