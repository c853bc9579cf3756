"""Rules of the Gateway API Inference Extension as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.inference_extension.kinds import STABLE
from weighbridge.policies.families.native import NativeRule, finds, flat, must, native

# Kinds and releases have different fields, so the expressions read the spec without a schema.
_SPEC: Final = "dyn(object).?spec"
_RULES: Final = f"{_SPEC}.rules.orValue([])"
_IS_STABLE: Final = f"object.apiVersion.startsWith('{STABLE}/')"
_SELECTOR: Final = f"{_IS_STABLE} ? {_SPEC}.selector.matchLabels : {_SPEC}.selector"
_SELECTOR_PLACE: Final = f"{_IS_STABLE} ? 'spec.selector.matchLabels' : 'spec.selector'"
#: The paths of all lists of targets.
_PLACES: Final = (
    f"['spec.targetModels'] + {_RULES}.transformList(i, rule, 'spec.rules[' + string(i) + '].targets')"
    f" + {_RULES}.transformList(i, rule, 'spec.rules[' + string(i) + '].split')"
)
#: The names in each of these lists.
_NAMES: Final = (
    f"[{_SPEC}.targetModels.orValue([]).map(target, target.name)]"
    f" + {_RULES}.map(rule, rule.?targets.orValue([]).map(target, target.modelRewrite))"
    f" + {_RULES}.map(rule, rule.?split.orValue([]).map(target, target.modelRewrite))"
)
_NAME_FIELD: Final = "(variables.places[at] == 'spec.targetModels' ? '.name: ' : '.modelRewrite: ')"
_IGNORED_KIND: Final = native(
    must(
        "object.?spec.poolRef.kind.orValue('InferencePool') == 'InferencePool'",
        ".spec.poolRef.kind",
        says="'\"' + object.spec.poolRef.kind + '\" has no effect; the reference is read as an InferencePool'",
    )
)

TABLE: Final[Mapping[str, NativeRule]] = {
    "GIE-003": finds(
        flat(
            "variables.names.transformList(at, listed, listed.transformList(i, name, name != '' && listed.indexOf(name) < i,"
            f" variables.places[at] + '[' + string(i) + ']' + {_NAME_FIELD} + '\"' + name + '\" is at ' + variables.places[at]"
            " + '[' + string(listed.indexOf(name)) + '] already'))"
        ),
        places=_PLACES,
        names=_NAMES,
    ),
    "GIE-004": finds(
        "(object.kind == 'InferenceModel' && !has(object.spec) ? ['spec: is missing, so no request can name the model'] : [])"
        f" + ({_SPEC}.modelName.orValue('-').trim() == '' ? ['spec.modelName: is empty, so no request can name it'] : [])"
        " + variables.of_targets",
        places=_PLACES,
        names=_NAMES,
        of_targets=flat(
            "variables.names.transformList(at, listed, listed.transformList(i, name, name.trim() == '',"
            f" variables.places[at] + '[' + string(i) + ']' + {_NAME_FIELD} + 'is empty, and no server has such a model'))"
        ),
    ),
    "GIE-005": _IGNORED_KIND,
    "GIE-008": _IGNORED_KIND,
    "GIE-009": native(
        must(
            "!variables.selector.hasValue() || variables.selector.value().size() > 0",
            says=f"({_SELECTOR_PLACE}) + ': is empty, so every pod of the namespace is an endpoint of the pool'",
        ),
        selector=_SELECTOR,
    ),
    "GIE-013": native(
        must(
            "variables.group == '' && variables.kind == 'Service'",
            says=(
                f"({_IS_STABLE} ? 'spec.endpointPickerRef.' : 'spec.extensionRef.') + (variables.kind == 'Service' ? 'group' : 'kind')"
                " + ': no gateway supports a picker of kind \"' + variables.kind + (variables.group == '' ? '' : '.' + variables.group)"
                " + '\"'"
            ),
        ),
        group=f"({_IS_STABLE} ? {_SPEC}.endpointPickerRef.group : {_SPEC}.extensionRef.group).orValue('')",
        kind=f"({_IS_STABLE} ? {_SPEC}.endpointPickerRef.kind : {_SPEC}.extensionRef.kind).orValue('Service')",
    ),
    "GIE-014": native(
        must(
            "object.?spec.endpointPickerRef.hasValue() || object.?spec.targetPorts.orValue([]).size() == 0",
            ".spec.endpointPickerRef",
            "is missing; gateways that need a picker won't accept the pool",
        ),
        kinds=(f"InferencePool.{STABLE}",),
    ),
    "GIE-018": finds(
        "variables.selector.orValue({}).transformList(key, value, format.qualifiedName().validate(key).hasValue(),"
        f" ({_SELECTOR_PLACE}) + '.' + key + ': no pod can have a label \"' + key + '\": '"
        " + format.qualifiedName().validate(key).orValue([''])[0])",
        selector=_SELECTOR,
    ),
    "GIE-022": finds(
        "variables.weighted.transformList(at, listed, listed.exists(one, one) && !listed.all(one, one),"
        " variables.places[at] + '[' + string(listed.indexOf(false)) + '].weight: is missing, and other targets of the rule have one')",
        places=_PLACES,
        weighted=(
            f"[[false]] + {_RULES}.map(rule, rule.?targets.orValue([]).map(target, has(target.weight)))"
            f" + {_RULES}.map(rule, rule.?split.orValue([]).map(target, has(target.weight)))"
        ),
    ),
    "GIE-024": finds(
        "variables.models.transformList(i, model, variables.models.indexOf(model) < i,"
        " variables.places[i] + ': ' + (model == '' ? 'every model' : 'model \"' + model + '\"') + ' is matched at '"
        " + variables.places[variables.models.indexOf(model)] + ' already, and the first rule applies')",
        matches=flat(
            f"{_RULES}.transformList(i, rule, rule.?matches.orValue([]).size() == 0 ? ['spec.rules[' + string(i) + ']: ']"
            " : rule.matches.transformList(at, match,"
            " 'spec.rules[' + string(i) + '].matches[' + string(at) + '].model.value: ' + match.model.value))"
        ),
        places="variables.matches.map(match, match.substring(0, match.indexOf(': ')))",
        models="variables.matches.map(match, match.substring(match.indexOf(': ') + 2))",
    ),
    "GIE-025": finds(
        f"{_RULES}.transformList(i, rule, rule.?targets.orValue([]).size() == 0 && rule.?split.orValue([]).size() == 0,"
        " 'spec.rules[' + string(i) + '].targets: is missing, so the rule rewrites nothing')"
    ),
}

#: Why rules that look at one object alone aren't in the table.
LEFT: Final[Mapping[str, str]] = {
    "GIE-006": "it depends on the release of the Inference Extension in the cluster",
}
