"""Properties of filling in, for any objects: a second run changes nothing, no author's value is overwritten, and no filled-in value is
refused.
"""

from __future__ import annotations

import copy
from typing import Any

import jsonpatch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.llmkube.defaults.filling_in import cluster, decoded, filled, gvk_of
from tests.llmkube.defaults.objects import CONFIGURATION, MODEL, NAMESPACE, SERVICE, named, nodes
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

QUICK = settings(max_examples=100)
#: The fields in which a default of the CRD is replaced.
DEFAULTED: Path = ("spec", "hardware", "accelerator")


@st.composite
def situations(draw: st.DrawFn) -> tuple[JSONObject, JSONObject, Any, Any]:
    """A service and a Model of it, with their cluster and configuration."""
    config = parse(draw(CONFIGURATION))
    models = [named("Model", name, draw(MODEL)) for name in ("first", "second")]
    facts = cluster([*models, *draw(nodes())], config)
    service = decoded(named("InferenceService", "service", draw(SERVICE)), facts)
    return service, decoded(models[0], facts), facts, config


@QUICK
@given(situations())
def test_filling_in_again_changes_nothing(situation: tuple[JSONObject, JSONObject, Any, Any]) -> None:
    service, model, facts, config = situation
    for obj in (service, model):
        first = filled(obj, facts, config).object
        assert filled(first, facts, config).patch == []
        assert filled(first, facts, config, old=first).patch == []
        assert filled(first, facts, config, old=obj).object == first


@QUICK
@given(situations())
def test_the_patch_makes_of_the_object_what_was_filled_in(situation: tuple[JSONObject, JSONObject, Any, Any]) -> None:
    service, model, facts, config = situation
    for obj in (service, model):
        mutation = filled(obj, facts, config)
        assert decoded(jsonpatch.apply_patch(copy.deepcopy(obj), mutation.patch), facts) == mutation.object
        assert all(entry.source and entry.reason for entry in mutation.provenance)


def kept(before: JSONValue, after: JSONValue) -> bool:
    """Whether all written values are still there, lists as a whole."""
    if isinstance(before, dict):
        return isinstance(after, dict) and all(key in after and kept(value, after[key]) for key, value in before.items())
    return bool(before == after)


@QUICK
@given(situations())
def test_what_the_author_wrote_stays(situation: tuple[JSONObject, JSONObject, Any, Any]) -> None:
    service, model, facts, config = situation
    for obj in (service, model):
        written = copy.deepcopy(obj)
        if not Authorship.of_object(obj).is_written(DEFAULTED):
            written["spec"].get("hardware", {}).pop("accelerator", None)
        assert kept(written, filled(obj, facts, config).object)


def refused_by(obj: JSONObject, facts: Any, config: Any, phase: Phase = Phase.WHOLE) -> set[str]:
    """The rules that refuse an object."""
    request = Request("any", Operation.CREATE, gvk_of(obj), obj, namespace=NAMESPACE, name=name_of(obj))
    decision = decide(request, facts, config, phase)
    assert decision.patch == ()
    return {finding.rule for finding in decision.findings if finding.severity is Severity.ERROR}


@QUICK
@given(situations())
def test_nothing_that_was_filled_in_is_refused(situation: tuple[JSONObject, JSONObject, Any, Any]) -> None:
    service, model, facts, config = situation
    for obj in (service, model):
        before = refused_by(obj, facts, config, Phase.VALIDATE) | refused_by(obj, facts, config, Phase.APISERVER)
        if "LLMKUBE-068" in before:
            # Without an image there is no pod to judge. With one there is, and its findings would come with any image.
            imaged = {**obj, "spec": {**obj["spec"], "image": "example.com/author:v1"}}
            before |= refused_by(imaged, facts, config, Phase.VALIDATE)
        assert refused_by(filled(obj, facts, config).object, facts, config) <= before


ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2**40), st.floats(allow_nan=False), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=5,
)
FIELDS = ("image", "runtime", "tolerations", "nodeSelector", "affinity", "endpoint", "containerPort", "resources", "podSecurityContext")


@QUICK
@given(st.dictionaries(st.sampled_from([*FIELDS, "modelRef", "securityContext", "skipModelInit"]), ANY), ANY, MODEL, nodes())
def test_no_object_makes_filling_in_fail(spec: JSONObject, odd: JSONValue, model: JSONObject, found: list[JSONObject]) -> None:
    config = parse({"llmkube": {"renderGroup": 991, "runtimeClassNames": {"nvidia": "nvidia", "amd": "amd"}}})
    facts = cluster([named("Model", "first", model), *found], config)
    for obj in (
        named("InferenceService", "service", {"modelRef": "first", **spec}),
        {**named("InferenceService", "service", {}), "spec": odd},
        named("Model", "first", {**model, "hardware": odd, "prefetch": True, "prefetchTolerations": odd}),
        {**named("Model", "first", {}), "metadata": odd},
    ):
        filled_twice(obj, facts, config)


def filled_twice(obj: JSONObject, facts: Any, config: Any) -> None:
    """Fill in an object as a creation and as an update of itself."""
    from weighbridge.policies.families.fill.mutation import Mutation
    from weighbridge.policies.families.llmkube.family import FAMILY

    for old in (None, obj):
        mutation = Mutation(copy.deepcopy(obj))
        request = Request("any", Operation.CREATE, gvk_of(obj), mutation.object, old, namespace=NAMESPACE)
        FAMILY.fill[gvk_of(obj).kind](mutation, request, facts, config)
