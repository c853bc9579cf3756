"""The model of a template doesn't exist where the operator looks for it.

A cluster template belongs to a cluster model. A template of a namespace belongs to a model of that namespace. kaiwo also uses a model of
the cluster. aim-engine doesn't, so the template fails even if the cluster has a model with that name. Create the model, or make the
template an AIMClusterServiceTemplate. The model may come later in the same rollout, so the rule warns by default. The configuration's
`references` can make it an error.

Source: aim-engine v0.2.1, internal/aimservicetemplate; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, NotChecked, Said, Template, Violation, of_both_groups, templates
from weighbridge.policies.families.aim.subject.references import models
from weighbridge.policies.ground.fields import text


@templates.warning(
    about=REFERENCE,
    mirrors="condition ModelReady, ReferenceNotFound",
    reads=of_both_groups("AIMClusterModel", "AIMModel"),
    good="accepts-a-template-of-a-model-of-its-namespace",
    bad="warns-of-a-namespaced-template-of-a-cluster-model",
)
def check(template: Template, given: Given) -> Said:
    name = text(template.spec, "modelName")
    if not name:
        return
    own, of_cluster = models(given.group)
    is_namespaced = given.kind == "AIMServiceTemplate"
    wanted, namespace = (own, given.namespace) if is_namespaced else (of_cluster, "")
    missing = wanted.is_missing(given.facts, namespace, name)
    if missing and is_namespaced and given.group == OLD:
        missing = of_cluster.is_missing(given.facts, "", name)
    if missing is None:
        yield NotChecked(wanted.unknown)
    elif missing:
        elsewhere = of_cluster.get(given.facts, "", name) is not None
        where = f'namespace "{namespace}"' if is_namespaced else "the cluster"
        yield Violation(
            ("spec", "modelName"),
            f'{where} has no model "{name}"' + ("; the one of the cluster doesn't count" if elsewhere else ""),
            found=name,
            nearest=wanted.nearest(given.facts, namespace, name),
            hint="make it an AIMClusterServiceTemplate" if elsewhere else "create the model, or correct the name",
        )
