"""Fills in one object, with the schema's defaults of the API server and the values of the mutating webhook."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from tests.doors.applied import with_managed_fields
from tests.llmkube.defaults.objects import NAMESPACE
from weighbridge.policies.apiserver.admission import redefault
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.annotation import annotate
from weighbridge.webhook.inputs.facts import bundled_definitions


def cluster(objects: Iterable[JSONObject], config: Configuration) -> Facts:
    """The facts about a cluster with these objects."""
    return from_objects(objects, bundled_definitions(config))


def gvk_of(obj: JSONObject) -> GroupVersionKind:
    """The object's kind."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return gvk


def decoded(obj: JSONObject, facts: Facts) -> JSONObject:
    """A copy with the schema's defaults; unless it has managedFields or a manifest, all of `obj` is its author's."""
    found: JSONObject = copy.deepcopy(with_managed_fields(obj, obj))
    definition = facts.definitions.get(gvk_of(found))
    assert definition is not None
    redefault(found, definition)
    return found


def filled(obj: JSONObject, facts: Facts, config: Configuration, old: JSONObject | None = None) -> Mutation:
    """The values that are filled into an object with the schema's defaults. The object gets the values, the defaults again, and the
    record.
    """
    mutation = Mutation(copy.deepcopy(obj), Authorship.of_object(obj, old))
    operation, kind = Operation.CREATE if old is None else Operation.UPDATE, gvk_of(obj).kind
    request = Request("any", operation, gvk_of(obj), mutation.object, old, namespace=NAMESPACE, name=name_of(obj))
    FAMILY.fill[kind](mutation, request, facts, config)
    annotate(mutation, FAMILY.filled_fields(kind), 1 << 16, is_asked_for=True)
    mutation.object = decoded(mutation.object, facts)
    return mutation
