"""Rules about fields that several kinds have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.native.words import IS_OLD, SPEC, at, of_new, of_old
from weighbridge.policies.families.native import NativeRule, finds, flat, must, native
from weighbridge.policies.families.plain_secrets import PATTERNS, secret_in_cel

#: Model sources, each with its path; the object may be one itself.
_SOURCES: Final = {
    "sources": (f"{SPEC}.modelSources.orValue([]) + {SPEC}.model.custom.modelSources.orValue([]) + [{SPEC}.orValue({{}})]"),
    "places": (
        f"{SPEC}.modelSources.orValue([]).transformList(i, one, 'spec.modelSources[' + string(i) + ']')"
        f" + {SPEC}.model.custom.modelSources.orValue([]).transformList(i, one, 'spec.model.custom.modelSources[' + string(i) + ']')"
        " + ['spec']"
    ),
}
_SIZED: Final = (
    *of_new("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel", "AIMService", "AIMArtifact"),
    *of_old("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModelCache"),
)
_TEMPLATES: Final = f"{SPEC}.customTemplates.orValue([])"
_SIZE: Final = "string(dyn(source.?size.orValue('')))"
_IS_SECRET: Final = secret_in_cel("entry.name", "entry.?value.orValue('')")

SHARED: Final[Mapping[str, NativeRule]] = {
    "AIM-023": finds(
        "variables.names.transformList(i, name, name.trim() == '' || variables.names.indexOf(name) < i,"
        f" {at('imagePullSecrets', '.name')}' + (name.trim() == '' ? 'the entry names no secret'"
        " : 'secret \"' + name + '\" is listed twice'))",
        names=f"{SPEC}.imagePullSecrets.orValue([]).map(entry, entry.?name.orValue(''))",
    ),
    "AIM-024": finds(
        f"{SPEC}.env.orValue([]).transformList(i, entry,"
        " entry.name == 'AIM_CACHE_PATH' && entry.?value.orValue('') != variables.mounted,"
        f" {at('env', '.value')}the weights are mounted below ' + variables.mounted + ', wherever AIM_CACHE_PATH points')",
        kinds=(
            *of_new("AIMService", "AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
            *of_old("AIMService", "AIMServiceTemplate"),
        ),
        mounted=f"{IS_OLD} ? '/workspace/model-cache' : '/workspace/cache'",
    ),
    "AIM-079": native(
        must(
            f"object.metadata.?annotations[?'{PAUSED}'].orValue('') != 'true'",
            f".metadata.annotations['{PAUSED}']",
            "the operator ignores this object",
        ),
        kinds=of_new(
            *("AIMService", "AIMModel", "AIMClusterModel", "AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMArtifact"),
            "AIMTemplateCache",
        ),
    ),
    "AIM-044": finds(
        f"variables.sources.transformList(i, source, isQuantity({_SIZE})"
        f" && quantity({_SIZE}).compareTo(quantity('0')) < ({IS_OLD} ? 1 : 0),"
        f" variables.places[i] + '.size: a volume can\\'t have the size ' + {_SIZE})",
        kinds=_SIZED,
        **_SOURCES,
    ),
    "AIM-045": finds(
        "variables.sources.transformList(i, source, source.?sourceUri.orValue('').matches('^(hf|s3)://[/]*[^/]*[/]*$'),"
        " variables.places[i] + '.sourceUri: \"' + source.sourceUri + '\" is incomplete')",
        kinds=_SIZED,
        **_SOURCES,
    ),
    "AIM-071": finds(
        flat(
            "variables.lists.transformList(at, env, env.transformList(i, entry,"
            f" {_IS_SECRET}, variables.holders[at] + '.env[' + string(i) + '].value: '"
            " + entry.name + ' holds a secret in plain text; everyone who may read the object can read it'))"
        ),
        kinds=(
            *of_new("AIMService", "AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
            *of_new("AIMModel", "AIMClusterModel", "AIMArtifact", "AIMTemplateCache"),
            *of_old("AIMService", "AIMServiceTemplate", "AIMModelCache", "AIMTemplateCache", "AIMKVCache"),
        ),
        **PATTERNS,
        **_SOURCES,
        lists=(
            f"[{SPEC}.caching.env.orValue([]), {SPEC}.kvCache.env.orValue([])]"
            f" + variables.sources.map(source, source.?env.orValue([])) + {_TEMPLATES}.map(one, one.?env.orValue([]))"
        ),
        holders=(
            "['spec.caching', 'spec.kvCache'] + variables.places"
            f" + {_TEMPLATES}.transformList(i, one, 'spec.customTemplates[' + string(i) + ']')"
        ),
    ),
}
