"""Looks up what LLMKube objects refer to, as it will be once it stands in the cluster.

An object that is stored already is what it is. One that comes beside the judged one, as in a folder of manifests, still gets the CRD's
defaults and what this family fills in; whoever judges a service before its Model is applied sees the Model as it will be then.
"""

from __future__ import annotations

from typing import Final

from policies.apiserver.admission import redefault
from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Defaults, spec_of
from policies.families.llmkube.defaults.model_fields import fill as fill_model
from policies.families.mutation import Mutation
from policies.fields import text
from policies.objects import GroupVersionKind, JSONObject, Operation, metadata_of, name_of, namespace_of
from policies.request import Request
from policies.schema.object_meta import stored_numbers

GROUP: Final = "inference.llmkube.dev"


def model_of(service: JSONObject, namespace: str, facts: Facts, config: Configuration) -> JSONObject | None:
    """The Model that a service refers to, in its own namespace; `None` where it isn't known. Ask `facts.objects.knows_all` for the rest."""
    return model_named(namespace_of(service) or namespace, text(spec_of(service), "modelRef"), facts, config)


def model_named(namespace: str, name: str, facts: Facts, config: Configuration) -> JSONObject | None:
    """A Model as it stands or will stand in the cluster; `None` where it isn't known."""
    return find("Model", namespace, name, facts, config, fill_model)


def find(kind: str, namespace: str, name: str, facts: Facts, config: Configuration, fill: Defaults) -> JSONObject | None:
    """An object of the group as it stands or will stand in the cluster; `None` where it isn't known. `fill` is what its kind gets."""
    obj = facts.objects.get(GROUP, kind, namespace, name) if name else None
    if not isinstance(obj, dict):
        return None
    return obj if is_stored(obj) else as_applied(obj, namespace, facts, config, fill)


def is_stored(obj: JSONObject) -> bool:
    """Whether an API server has stored the object, which writes down when."""
    metadata = metadata_of(obj)
    return "uid" in metadata or "creationTimestamp" in metadata


def as_applied(obj: JSONObject, namespace: str, facts: Facts, config: Configuration, fill: Defaults) -> JSONObject:
    """The object as it will be once applied: with the CRD's defaults and what `fill` fills in."""
    gvk = GroupVersionKind.from_object(obj)
    definition = facts.definitions.get(gvk) if gvk is not None else None
    applied = stored_numbers(obj)
    if definition is None or gvk is None or not isinstance(applied, dict):
        return obj
    redefault(applied, definition)
    request = Request("", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    fill(Mutation(applied), request, facts, config)
    redefault(applied, definition)
    return applied
