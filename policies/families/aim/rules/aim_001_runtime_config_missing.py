"""The runtime config that a service names doesn't exist.

The operator looks for `runtimeConfigName` in the service's namespace and in the cluster. It doesn't fall back to `default`. Only `default`
itself may be missing. Without the config the service fails and gets no objects. Create the config, or name one that exists. The config may
come later in the same rollout, so the rule warns by default. The configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/controller/utils/config.go; kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go.
"""

from weighbridge.policies.families.aim.predictions.configuration import DEFAULT
from weighbridge.policies.families.aim.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Service, Violation, services
from weighbridge.policies.families.aim.subject.references import configs


@services.warning(
    about=REFERENCE | FAILURE,
    mirrors="condition RuntimeConfigReady, ReferenceNotFound",
    good="accepts-a-runtime-config-that-exists",
    bad="warns-of-a-runtime-config-that-is-missing",
)
def check(service: Service, given: Given) -> Said:
    config = service.config
    if config.is_missing:
        yield Violation(
            ("spec", "runtimeConfigName"),
            f'neither namespace "{service.namespace}" nor the cluster has a runtime config "{config.name}"',
            found=config.name,
            nearest=configs(given.group).nearest(given.facts, service.namespace, config.name),
            hint="create it, or name one that exists; without a name it is default, which may be missing",
        )
    elif config.name != DEFAULT and config.unknown and not config.scope:
        yield NotChecked(f"{config.unknown[0]} isn't known")
