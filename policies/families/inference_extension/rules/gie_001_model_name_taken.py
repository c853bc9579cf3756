"""An older InferenceModel of the same pool has this model name.

`spec.modelName` must be unique within a pool. The reference endpoint picker uses the older object. It ignores the newer one, which never
routes a request, and only logs a line. Choose another name, or change the other object. A model that moves to another pool must not take an
existing name there, whichever object is older: the picker would replace the newer object by the older one. If the two objects name pools of
different API groups, the rule only warns, because the picker of v0.5.1 compares only the pools' names.

Source: Gateway API Inference Extension v0.5.1, pkg/epp/datastore/datastore.go.
"""

from weighbridge.policies.families.creation import is_earlier
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.kinds import MODEL
from weighbridge.policies.families.inference_extension.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.pool_reference import reference_of, referred
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


@objects.error(
    kinds=("InferenceModel",),
    reads=("InferenceModel",),
    good="accepts-the-same-name-in-another-namespace",
    bad="warns-of-a-name-that-is-taken-in-a-pool-of-the-other-group",
)
def check(given: Given) -> Said:
    model_name, pool = text(given.spec, "modelName"), referred(given.request)
    if not model_name or not pool.name:
        return
    old = given.request.old_object if isinstance(given.request.old_object, dict) else None
    stored = given.object if old is None else old
    is_moved = old is not None and reference_of(old, MODEL.kind, pool.namespace).name != pool.name
    own_name = given.name or given.request.name
    for other in given.facts.objects.where(MODEL.group, MODEL.kind, _key, (pool.namespace, model_name, pool.name)):
        if name_of(other) == own_name or not (is_moved or is_earlier(other, stored)):
            continue
        is_same = reference_of(other, MODEL.kind, pool.namespace).group == pool.group
        yield Violation(
            ("spec", "modelName"),
            f'"{model_name}" is taken in pool "{pool.name}" by InferenceModel "{name_of(other)}"',
            found=model_name,
            expected="a name that no other InferenceModel of the pool has",
            hint="choose another modelName, or change the other object",
            severity=None if is_same else Severity.WARNING,
        )
        return
    if not given.facts.objects.knows_all(MODEL.group, MODEL.kind):
        yield NotChecked("not all InferenceModels of the cluster are known")


def _key(obj: JSONObject) -> tuple[str, str, str]:
    """The fields that only one InferenceModel may have together."""
    namespace = namespace_of(obj)
    return namespace, text(spec_of(obj), "modelName"), reference_of(obj, MODEL.kind, namespace).name
