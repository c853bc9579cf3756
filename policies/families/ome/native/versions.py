"""Rules about the versions of formats and frameworks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, native, none_of

_NUMBER: Final = "(0|[1-9][0-9]{0,19})"
_TAILS: Final = r"([.][^.+-]+([.][^.+-]+)*)?(-[^.+]+([.][^.+]+)*)?([+][^.]+([.][^.]+)*)?"
_VERSION: Final = f"(?s)^v?{_NUMBER}([.]{_NUMBER}([.]{_NUMBER}{_TAILS})?)?$"
#: The numbers of a version must fit into 64 bits.
_LARGEST: Final = str(2**64 - 1)
_IS_READ: Final = (
    f"(version.matches('{_VERSION}') && version.split('.', 3)"
    f".all(one, one.find('[0-9]+').size() < 20 || one.find('[0-9]+') <= '{_LARGEST}'))"
)
#: The formats and frameworks, each with its path, in the fields that models and runtimes have.
_FORMS: Final = (
    "['modelFormat', 'modelFramework'].filter(key, dyn(object).?spec[?key].hasValue())"
    ".map(key, {'path': dyn('spec.' + key), 'form': dyn(object).spec[key]})"
    " + dyn(object).?spec.supportedModelFormats.orValue([]).transformList(i, one, ['modelFormat', 'modelFramework']"
    ".filter(key, one[?key].hasValue()).map(key, {'path': dyn('spec.supportedModelFormats[' + string(i) + '].' + key), 'form': one[key]}))"
    ".flatten()"
)

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-021": native(
        none_of("wrong"),
        forms=_FORMS,
        wrong=(
            f"variables.forms.filter(one, [string(one.form.?version.orValue('0'))].exists(version, !{_IS_READ}))"
            '.map(one, string(one.path) + ".version: OME can\'t read version \\"" + string(one.form.version)'
            " + '\", so the format matches nothing')"
        ),
    ),
    "OME-022": native(
        none_of("wrong"),
        forms=_FORMS,
        wrong=(
            "variables.forms.filter(one, !(one.form.?operator.orValue('Equal') in ['Equal', 'GreaterThan', 'GreaterThanOrEqual']))"
            '.map(one, string(one.path) + ".operator: OME doesn\'t know \\"" + string(one.form.operator)'
            " + '\", and compares as with Equal')"
        ),
    ),
    "OME-023": native(
        none_of("wrong"),
        forms=_FORMS,
        wrong=(
            "variables.forms.filter(one, one.form.?operator.orValue('') in ['GreaterThan', 'GreaterThanOrEqual']"
            f" && [string(one.form.?version.orValue(''))].exists(version, {_IS_READ}"
            " && version.matches('^v?[0-9]+[.][0-9]+[.][0-9]+[.+-]')))"
            ".map(one, string(one.path) + '.operator: ' + string(one.form.version) + ' has a suffix, so it only equals itself, and '"
            " + string(one.form.operator) + ' has no effect')"
        ),
    ),
}
