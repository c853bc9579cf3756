"""Rules about the models that Playgrounds and Services claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

# A Service has no `modelClaim`, so the expressions read the fields without their types.
_SPEC: Final = "dyn(object).?spec"
_HAS_ONE: Final = f"{_SPEC}.modelClaim.hasValue()"
_MODELS: Final = f"{_HAS_ONE} ? [] : {_SPEC}.modelClaims.models.orValue([])"
_ROLES: Final = "variables.models.map(model, model.?role.orValue('') == '' ? 'main' : model.role)"
_LABEL: Final = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$"

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-020": native(
        must(
            "object.?spec.modelClaim.hasValue() != object.?spec.modelClaims.hasValue()",
            ".spec",
            says="'the Playground claims ' + (object.?spec.modelClaim.hasValue() ? 'its models in two ways' : 'no model')",
        )
    ),
    "LLMAZ-021": native(
        must(
            f"variables.models.size() > 0 || {_HAS_ONE} || object.kind == 'Playground' && !{_SPEC}.modelClaims.hasValue()",
            "",
            "spec.modelClaims.models: no model is claimed, and the controller panics on that",
        ),
        must(
            f"!{_HAS_ONE} || {_SPEC}.modelClaim.modelName.orValue('').trim() != ''",
            "",
            "spec.modelClaim.modelName: the claim names no model",
        ),
        none_of("wrong"),
        models=_MODELS,
        wrong=(
            "variables.models.transformList(i, model, model.?name.orValue('').trim() == '',"
            " 'spec.modelClaims.models[' + string(i) + '].name: the claim names no model')"
        ),
    ),
    "LLMAZ-022": native(
        must(
            "!('draft' in variables.roles) || variables.roles.size() == 2 && variables.mains == 1",
            "",
            says=(
                "'spec.modelClaims.models: a draft needs one main model, and the claims name ' + string(variables.mains)"
                " + (variables.mains == 1 ? ' main model and ' : ' main models and ') + string(variables.roles.size() - variables.mains)"
                " + (variables.roles.size() - variables.mains == 1 ? ' draft' : ' drafts')"
            ),
        ),
        models=_MODELS,
        roles=_ROLES,
        mains="variables.roles.filter(role, role == 'main').size()",
    ),
    "LLMAZ-023": native(
        none_of("wrong"),
        models=_MODELS,
        roles=_ROLES,
        wrong=(
            "'draft' in variables.roles ? [] : variables.models.transformList(i, model, i < variables.models.size() - 1,"
            " 'spec.modelClaims.models[' + string(i) + '].name: another main model comes after it, and '"
            " + variables.models[variables.models.size() - 1].?name.orValue('') + ' is the model that llmaz serves')"
        ),
    ),
    "LLMAZ-027": native(
        none_of("wrong"),
        place=f"{_HAS_ONE} ? 'modelClaim' : 'modelClaims'",
        flavors=f"{_SPEC}[?variables.place].inferenceFlavors.orValue([])",
        wrong=(
            "variables.flavors.transformList(i, name, variables.flavors.indexOf(name) < i,"
            " 'spec.' + variables.place + '.inferenceFlavors[' + string(i) + ']: the flavor is claimed already')"
        ),
    ),
    "LLMAZ-048": native(
        must(
            f"variables.name.size() <= 63 && variables.name.matches('{_LABEL}')",
            "",
            says=(
                "(object.?spec.modelClaim.hasValue() ? 'spec.modelClaim.modelName' :"
                " 'spec.modelClaims.models[' + string(variables.mains[variables.mains.size() - 1]) + '].name')"
                ' + ": the name can\'t be the value of a label"'
            ),
        ),
        models=_MODELS,
        mains="variables.models.transformList(i, model, model.?role.orValue('') in ['', 'main'], i)",
        name=(
            "object.?spec.modelClaim.hasValue() ? object.spec.modelClaim.?modelName.orValue('') :"
            " variables.mains.size() > 0 ? variables.models[variables.mains[variables.mains.size() - 1]].?name.orValue('') : ''"
        ),
    ),
}
