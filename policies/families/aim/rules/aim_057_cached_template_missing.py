"""The template of a template cache doesn't exist.

aim-engine looks in the scope in `templateScope`, or in both with Unknown, and fails the cache if the template doesn't exist. kaiwo
looks in the namespace, then in the cluster, and leaves the cache Pending. Create the template, or correct its name or its scope. The
template may come later in the same rollout, so the rule warns by default. The configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/aimtemplatecache; kaiwo dbca1b55, internal/controller/aim/aimtemplatecache_controller.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.objects.model_object import comes_with_a_model
from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, NotChecked, Said, Violation, objects, of_both_groups, text
from weighbridge.policies.families.aim.subject.references import templates


@objects.warning(
    kinds=("AIMTemplateCache",),
    about=REFERENCE,
    mirrors="condition ServiceTemplateReady",
    reads=tuple(sorted(("AIMClusterModel", "AIMModel", *of_both_groups("AIMClusterServiceTemplate", "AIMServiceTemplate")))),
    good="fills-in-the-scope-of-a-template-of-the-namespace",
    bad="warns-of-a-template-cache-in-the-wrong-scope",
)
def check(given: Given) -> Said:
    key, scope = ("templateRef", "") if given.group == OLD else ("templateName", text(given.spec, "templateScope"))
    name, namespace, facts = text(given.spec, key), given.namespace, given.facts
    if not name:
        return
    own, of_cluster = templates(given.group)
    near = own.is_missing(facts, namespace, name) if scope != "Cluster" else True
    far = of_cluster.is_missing(facts, "", name) if scope != "Namespace" else True
    if near is False or far is False:
        return
    if near is None or far is None:
        yield NotChecked((own if near is None else of_cluster).unknown)
        return
    if comes_with_a_model(name, scope, namespace, given.group, facts):
        return
    elsewhere = own.get(facts, namespace, name) if scope == "Cluster" else of_cluster.get(facts, "", name)
    where = "the cluster has no template" if scope == "Cluster" else f'namespace "{namespace}" has no template'
    yield Violation(
        ("spec", key),
        f'{where} "{name}"' + (", nor has the cluster" if given.group == OLD else ""),
        found=name,
        nearest=templates(given.group).nearest(facts, None if scope == "Cluster" else namespace, name),
        hint="set templateScope to the other scope, which has it" if elsewhere is not None else "create it, or correct the name",
    )
