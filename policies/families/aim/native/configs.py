"""Rules about runtime configs, and about the same fields in services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.aim.native.words import SPEC, of_new, of_old
from weighbridge.policies.families.aim.predictions.caches.storage import HEADROOM
from weighbridge.policies.families.native import NativeRule, finds, must, native, raw

_NEW: Final = of_new("AIMRuntimeConfig", "AIMClusterRuntimeConfig")
_PATH: Final = "object.?spec.routing.pathTemplate.orValue('')"
#: A pattern of Go's `filepath.Match`. A class doesn't begin with a dash, a bracket or a second circumflex.
_END: Final = r"(\\.|[^\\\]-])"
_FIRST: Final = r"(\\.|[^\\\]^-])"
_PATTERN: Final = raw(rf"(?s)^([*?]|\\.|\[(\^({_END}(-{_END})?)+|{_FIRST}(-{_END})?({_END}(-{_END})?)*)\]|[^\\\[*?])*$")

CONFIGS: Final[Mapping[str, NativeRule]] = {
    "AIM-007": native(
        must(
            "variables.template.matches('^([^{}]|[{][^{}]+[}])*$')",
            ".spec.routing.pathTemplate",
            says="'\"' + variables.template + '\" has a brace without its counterpart, which the operator reads as text'",
        ),
        template=_PATH,
    ),
    "AIM-032": finds(
        f"{SPEC}.labelPropagation.match.orValue([]).transformList(i, pattern, !pattern.matches({_PATTERN}),"
        " 'spec.labelPropagation.match[' + string(i) + ']: \"' + pattern + '\" isn\\'t a pattern, so it matches no label')",
        kinds=(*_NEW, *of_old("AIMRuntimeConfig", "AIMClusterRuntimeConfig", "AIMService")),
    ),
    "AIM-033": native(
        must(
            "!object.?spec.pvcHeadroomPercent.hasValue() || !object.?spec.storage.hasValue()"
            " || variables.applies == object.spec.pvcHeadroomPercent",
            ".spec.pvcHeadroomPercent",
            says=(
                "string(object.spec.pvcHeadroomPercent) + ' % doesn\\'t count, since storage is set: ' + string(variables.applies)"
                " + ' % applies'"
            ),
        ),
        kinds=_NEW,
        applies=f"object.?spec.storage.pvcHeadroomPercent.orValue({HEADROOM})",
    ),
    "AIM-036": finds(
        "variables.headroom.transformList(field, percent, percent > 100, 'spec.' + field + ': volumes would have '"
        " + string(percent / 100 + 1)"
        " + (percent % 100 == 0 ? '' : percent % 10 == 0 ? '.' + string(percent % 100 / 10)"
        " : (percent % 100 < 10 ? '.0' : '.') + string(percent % 100))"
        " + ' times the size of the weights')",
        headroom=(
            f"{{?'pvcHeadroomPercent': {SPEC}.pvcHeadroomPercent, ?'storage.pvcHeadroomPercent': {SPEC}.storage.pvcHeadroomPercent}}"
        ),
    ),
    "AIM-077": finds(
        "object.?spec.storage.hasValue() ? []"
        " : ['defaultStorageClassName', 'pvcHeadroomPercent']"
        f".filter(field, {SPEC}[?field].orValue('') != '')"
        f".map(field, 'spec.' + field + ': has moved: write storage: {{' + field + ': ' + string(dyn({SPEC}[?field].orValue(''))) + '}}')",
        kinds=_NEW,
    ),
    "AIM-080": native(
        must(
            "variables.named.size() == 0",
            ".spec.routing.pathTemplate",
            says="'{' + variables.named[0] + '} is empty until the service runs, and the path changes then'",
        ),
        named=(
            f"{_PATH}.findAll('[{{][^{{}}]+[}}]').map(found, found.substring(1, found.size() - 1).trim())"
            ".filter(found, found.startsWith('.status'))"
        ),
    ),
}
