"""Rules about BackendRuntimes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of

_CONFIGS: Final = "object.?spec.recommendedConfigs.orValue([])"
_VARIABLE: Final = r"[{][{][\\t\\n\\f\\r ]*[.][A-Za-z0-9_]+[\\t\\n\\f\\r ]*[}][}]"

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-050": native(
        none_of("wrong"),
        names=f"{_CONFIGS}.map(config, config.?name.orValue(''))",
        wrong=(
            "variables.names.transformList(i, name, variables.names.indexOf(name) < i,"
            " 'spec.recommendedConfigs[' + string(i) + '].name: another configuration has this name')"
        ),
    ),
    "LLMAZ-051": native(
        must("variables.image.trim() != ''", ".spec.image", "the runtime has no image"),
        must("variables.version.trim() != ''", ".spec.version", "the runtime has no version"),
        must(
            "!variables.image.contains('@') && !variables.image.matches('(?s):[^/]*$')",
            ".spec.image",
            says="'the image has a tag, and pods would get ' + variables.image + ':' + variables.version",
        ),
        image="object.?spec.image.orValue('')",
        version="object.?spec.version.orValue('')",
    ),
    "LLMAZ-052": native(
        none_of("wrong"),
        wrong=(
            f"{_CONFIGS}.transformList(i, config, config.?args.orValue([]).transformList(j, argument, argument.findAll('{_VARIABLE}')"
            ".map(found, found.replace('{', '').replace('}', '').trim().substring(1))"
            ".filter(name, !(name in ['DraftModelPath', 'ModelName', 'ModelPath']))"
            ".map(name, 'spec.recommendedConfigs[' + string(i) + '].args[' + string(j) + ']: llmaz has no variable ' + name)))"
            ".flatten().flatten()"
        ),
    ),
    "LLMAZ-053": native(
        must(
            f"{_CONFIGS}.exists(config, config.?name.orValue('') == 'default')",
            ".spec.recommendedConfigs",
            "the runtime has no configuration default, which Playgrounds take",
        )
    ),
    "LLMAZ-054": native(
        none_of("wrong"),
        # An argument without its variables must not have double braces.
        wrong=(
            f"{_CONFIGS}.transformList(i, config, config.?args.orValue([]).transformList(j, argument,"
            f" !argument.matches('^({_VARIABLE}|[^{{]|[{{]({_VARIABLE})*([^{{]|$))*$'),"
            " 'spec.recommendedConfigs[' + string(i) + '].args[' + string(j) +"
            ' "]: llmaz doesn\'t replace these braces, so the engine gets them as they are")).flatten()'
        ),
    ),
}
