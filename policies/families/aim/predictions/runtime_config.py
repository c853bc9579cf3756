"""A namespace's runtime config merged with the cluster's config of its name."""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig
from weighbridge.policies.families.aim.predictions.tables import tables
from weighbridge.policies.families.aim.subject.references import configs, find
from weighbridge.policies.families.prediction import Deferred, Prediction
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.request import Request


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The merged configuration; the operator creates no objects for it."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    name = name_of(found)
    _, of_cluster = configs(request.gvk.group)
    cluster = find(of_cluster, facts, config, "", name)
    merged = RuntimeConfig(name, dialect_of(request.gvk.group), cluster, found)
    unchecked = []
    if cluster is None and of_cluster.is_missing(facts, "", name) is None:
        unchecked.append(Unchecked("what is merged", f"{of_cluster.kind} {name} isn't known, and is taken for absent"))
    return Prediction(
        status={},
        values=Deferred(merged.values),
        unchecked=unchecked,
        tables=lambda: tables(merged, None),
        merged=lambda: merged.merged,
    )
