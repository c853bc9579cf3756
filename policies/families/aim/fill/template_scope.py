"""The scope of the template that a template cache of aim.eai.amd.com names.

The CRD requires `templateScope` and has no default for it. If the author left it out, Weighbridge writes `Namespace` if the namespace has
a template of that name, and `Cluster` if only the cluster is known to have one. If neither has it, Weighbridge fills in nothing, and keeps
an earlier value, because the cache couldn't be updated without it. The cache of aim.silogen.ai doesn't have this field.

Source: aim-engine v0.2.1, api/v1alpha1/aimtemplatecache_types.go and internal/aimtemplatecache.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.subject.references import templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup, namespace_of
from weighbridge.policies.ground.request import Request

_SCOPE: Path = ("spec", "templateScope")


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a template cache."""
    if request.gvk.group != NEW or not isinstance(mutation.object.get("spec"), dict):
        return
    stored = lookup(mutation.object, _SCOPE)

    def scope(cache: JSONObject) -> Filling | None:
        found = _scope(text(spec_of(cache), "templateName"), request.namespace or namespace_of(cache), facts)
        if found is None and isinstance(stored, str):
            return Filling(stored, "cluster", "the template was there before")
        return found

    settle_value(mutation, _SCOPE, scope, no_longer="no template has that name")


def _scope(name: str, namespace: str, facts: Facts) -> Filling | None:
    own, of_cluster = templates(NEW)
    if not name:
        return None
    if own.get(facts, namespace, name) is not None:
        return Filling("Namespace", "cluster", f'namespace "{namespace}" has a template "{name}"')
    if own.is_missing(facts, namespace, name) and of_cluster.get(facts, "", name) is not None:
        return Filling("Cluster", "cluster", f'only the cluster has a template "{name}"')
    return None
