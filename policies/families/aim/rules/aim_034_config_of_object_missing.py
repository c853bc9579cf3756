"""The runtime config that a template, a model or a cache names doesn't exist.

aim-engine fails the object, and with it every service that needs it. kaiwo fails only templates of a namespace; other objects work without
a config. Create the config, or leave the name out. The config may come later in the same rollout, so the rule warns by default. The
configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/controller/utils/config.go; kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go.
"""

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT, runtime_config
from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, NotChecked, Said, Violation, objects, of_both_groups, text
from weighbridge.policies.families.aim.subject.references import configs


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMArtifact", "AIMTemplateCache"),
    about=REFERENCE,
    mirrors="condition RuntimeConfigReady, ConfigNotFound",
    reads=of_both_groups("AIMClusterRuntimeConfig", "AIMRuntimeConfig"),
    good="accepts-a-gpu-without-a-model",
    bad="warns-of-a-config-of-a-template-that-is-missing",
)
def check(given: Given) -> Said:
    name = text(given.spec, "runtimeConfigName")
    if name in ("", DEFAULT) or (given.group == OLD and given.kind != "AIMServiceTemplate"):
        return
    is_clusters = given.kind.startswith("AIMCluster")
    namespace = "" if is_clusters else given.namespace
    found = runtime_config(dialect_of(given.group), name, namespace, given.facts, given.config)
    if found.unknown and not found.scope:
        yield NotChecked(f"{found.unknown[0]} isn't known")
    elif found.is_missing:
        where = "the cluster has no" if is_clusters else f'neither namespace "{namespace}" nor the cluster has a'
        yield Violation(
            ("spec", "runtimeConfigName"),
            f'{where} runtime config "{name}"; the operator fails the {given.kind}',
            found=name,
            nearest=configs(given.group).nearest(given.facts, namespace or None, name),
            hint="create it, or leave the name out",
        )
