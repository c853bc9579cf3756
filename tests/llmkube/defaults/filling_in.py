"""One object through the defaults of its kind, as the API server and the mutating webhook take it there."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from policies.apiserver.admission import redefault
from policies.config import Configuration
from policies.facts import Facts, from_objects
from policies.families.llmkube.family import FAMILY
from policies.families.mutation import Mutation
from policies.objects import GroupVersionKind, JSONObject, Operation, name_of
from policies.request import Request
from tests.llmkube.defaults.objects import NAMESPACE
from webhook.inputs.facts import bundled_definitions


def cluster(objects: Iterable[JSONObject], config: Configuration) -> Facts:
    """What is known of a cluster with these objects."""
    return from_objects(objects, bundled_definitions(config))


def gvk_of(obj: JSONObject) -> GroupVersionKind:
    """The object's kind."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return gvk


def decoded(obj: JSONObject, facts: Facts) -> JSONObject:
    """A copy with the schema's defaults."""
    found = copy.deepcopy(obj)
    definition = facts.definitions.get(gvk_of(found))
    assert definition is not None
    redefault(found, definition)
    return found


def filled(obj: JSONObject, facts: Facts, config: Configuration, old: JSONObject | None = None) -> Mutation:
    """The record of what is filled into an object that has the schema's defaults; the object in it has them again afterwards."""
    mutation = Mutation(copy.deepcopy(obj))
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("any", operation, gvk_of(obj), mutation.object, old, namespace=NAMESPACE, name=name_of(obj))
    FAMILY.defaults[gvk_of(obj).kind](mutation, request, facts, config)
    mutation.object = decoded(mutation.object, facts)
    return mutation
