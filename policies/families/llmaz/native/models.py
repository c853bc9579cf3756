"""Rules about models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, must, native, none_of, whole_amount

_URI: Final = "object.?spec.source.uri.orValue('')"
_FLAVORS: Final = "object.?spec.inferenceConfig.flavors.orValue([])"
#: The beginning of the path of flavor `i`.
_FLAVOR: Final = "'spec.inferenceConfig.flavors[' + string(i) + ']"
_IS_EXTENDED: Final = "resource.contains('/') && !resource.startsWith('kubernetes.io/') && !resource.startsWith('requests.')"
#: The limits of `flavor` that are amounts; `amount` is one of them.
_LIMITS: Final = "flavor.?limits.orValue({}).transformMap(resource, amount, isQuantity(string(amount)), quantity(string(amount)))"
#: The devices of each flavor.
_COUNTS: Final = f"variables.flavors.map(flavor, {_LIMITS}.transformList(resource, amount, {_IS_EXTENDED}, {whole_amount('amount')}).sum())"
_ACCELERATORS: Final = "string(count) + (count == 1 ? ' accelerator' : ' accelerators')"

TABLE: Final[Mapping[str, NativeRule]] = {
    "LLMAZ-001": native(
        must("object.?spec.source.modelHub.hasValue() || object.?spec.source.uri.hasValue()", ".spec.source", "the model has no source")
    ),
    "LLMAZ-002": native(
        must(
            "!object.?spec.source.modelHub.hasValue() || object.?spec.source.uri.orValue('') == ''",
            ".spec.source.uri",
            "the model has two sources, and the URI is never read",
        )
    ),
    "LLMAZ-003": native(
        must(
            "!object.?spec.source.modelHub.hasValue() || object.?spec.source.modelHub.modelID.orValue('').trim() != ''",
            ".spec.source.modelHub.modelID",
            "the model has no ID on its hub",
        )
    ),
    "LLMAZ-004": native(
        must("variables.wrong == ''", ".spec.source.uri", says="variables.wrong"),
        parts="object.?spec.source.uri.orValue('host://').split('://')",
        wrong=(
            "variables.parts.size() != 2 ? 'this isn\\'t a URI' :"
            " !variables.parts[0].matches('(?i)^(gcs|host|ollama|oss|s3)$') ? \"llmaz doesn't know this protocol\" :"
            " variables.parts[0].matches('(?i)^oss$') && !variables.parts[1].matches('(?s)^[^.]*[.].*/')"
            " || variables.parts[0].matches('(?i)^(s3|gcs)$') && !variables.parts[1].contains('/') ? 'the address lacks a part' : ''"
        ),
    ),
    "LLMAZ-005": native(
        must("variables.wrong == ''", ".spec.source.uri", says="variables.wrong"),
        uri=f"object.?spec.source.modelHub.hasValue() ? '' : {_URI}",
        wrong=(
            "!variables.uri.matches('(?i)^(gcs|oss|s3)://') ? '' :"
            " variables.uri.endsWith('/') ? 'the path of the files ends with a slash' :"
            " !variables.uri.matches('(?s)^[^:]*://[^/]*/') ? 'the URI names a bucket and no path of files' :"
            " variables.uri.matches('^[^:]*://[./]') ? 'the URI names no bucket' : ''"
        ),
    ),
    "LLMAZ-006": native(
        must(
            "!variables.is_file || object.spec.source.modelHub.?name.orValue('') != 'ModelScope'",
            ".spec.source.modelHub.filename",
            "ModelScope gives no single files",
        ),
        *(
            must(
                f"!variables.is_file || !has(object.spec.source.modelHub.{patterns})",
                f".spec.source.modelHub.{patterns}",
                "a file name excludes patterns of files",
            )
            for patterns in ("allowPatterns", "ignorePatterns")
        ),
        is_file="object.?spec.source.modelHub.filename.hasValue()",
    ),
    "LLMAZ-007": native(
        must(
            "variables.name == '' || variables.name.size() <= 63 && variables.name.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')",
            ".spec.familyName",
            "the family can't be the value of a label",
        ),
        must("!has(object.spec) || variables.name != ''", ".spec.familyName", "the model has no family"),
        name="object.?spec.familyName.orValue('')",
    ),
    "LLMAZ-009": native(
        none_of("wrong"),
        names=f"{_FLAVORS}.map(flavor, flavor.?name.orValue(''))",
        wrong=(
            "variables.names.transformList(i, name, name != '' && variables.names.indexOf(name) < i,"
            f" {_FLAVOR}.name: another flavor has this name, and llmaz uses that one')"
        ),
    ),
    "LLMAZ-010": native(
        none_of("wrong"),
        names=f"{_FLAVORS}.map(flavor, flavor.?name.orValue(''))",
        wrong=(
            f"variables.names.transformList(i, name, name.trim() == '' || name.contains(','), {_FLAVOR}.name: '"
            " + (name.trim() == '' ? 'the flavor has no name' : 'a name with a comma is read as two'))"
        ),
    ),
    "LLMAZ-011": native(
        none_of("wrong"),
        wrong=(
            f"{_FLAVORS}.transformList(i, flavor, {_LIMITS}.transformList(resource, amount, sign(amount) < 0 || {_IS_EXTENDED} &&"
            f" (!amount.isInteger() || sign(amount) == 0), {_FLAVOR}.limits.' + resource + ': ' +"
            ' (sign(amount) < 0 ? "a limit can\'t be below zero" :'
            " !amount.isInteger() ? resource + ' is given in whole numbers' : 'the flavor has no ' + resource))).flatten()"
        ),
    ),
    "LLMAZ-013": native(
        none_of("wrong"),
        flavors=_FLAVORS,
        counts=_COUNTS,
        wrong=(
            "variables.counts.transformList(i, count, count != variables.counts[0],"
            f" {_FLAVOR}.limits: flavor ' + variables.flavors[i].?name.orValue('') + ' has ' + {_ACCELERATORS} + ' and flavor '"
            " + variables.flavors[0].?name.orValue('') + ' has ' + string(variables.counts[0]) + '; pods get '"
            " + string(variables.counts[0]) + ' with either flavor')"
        ),
    ),
    "LLMAZ-014": native(
        none_of("wrong"),
        flavors=_FLAVORS,
        wrong=(
            "!variables.flavors.exists(flavor, flavor.?nodeSelector.orValue({}).size() > 0) ? [] :"
            " variables.flavors.transformList(i, flavor, flavor.?nodeSelector.orValue({}).size() == 0,"
            f" {_FLAVOR}.nodeSelector: flavor ' + flavor.?name.orValue('')"
            " + ' takes any node, so the labels of the others don\\'t count')"
        ),
    ),
    "LLMAZ-015": native(
        none_of("wrong"),
        wrong=(
            f"{_FLAVORS}.transformList(i, flavor, flavor.?params.orValue({{}}).transformList(name, value,"
            " !(name in ['INSTANCE-TYPE', 'PP', 'TP']) || name != 'INSTANCE-TYPE' && !value.matches('^[0-9]*[1-9][0-9]*$'),"
            f" {_FLAVOR}.params.' + name + ': ' +"
            " (name in ['PP', 'TP'] ? name + ' must be a whole number above 0' : 'nothing reads this parameter'))).flatten()"
        ),
    ),
    "LLMAZ-016": native(
        none_of("wrong"),
        flavors=_FLAVORS,
        wanted="variables.flavors.map(flavor, flavor.?params.orValue({})[?'TP'].orValue(''))",
        counts=_COUNTS,
        wrong=(
            "variables.counts.transformList(i, count, count != 0 && variables.wanted[i].matches('^[0-9]+$')"
            " && !variables.wanted[i].matches('^0*' + string(count) + '$'),"
            f" {_FLAVOR}.params.TP: TP is ' + variables.wanted[i] + ' and a pod has ' + {_ACCELERATORS})"
        ),
    ),
}
