"""The settings of llmaz in a cluster, by its ConfigMap or by the configuration.

The controllers read one ConfigMap. Without it, without its key, or without an image for the loader, they fail at every Service.
Source: llmaz 3c13ff3, pkg/controller_helper/configmap.go and pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.settings import Llmaz
from weighbridge.policies.families.prediction import Setting
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass

NAMESPACE: Final = "llmaz-system"
CONFIG: Final = "llmaz-global-config"
#: The subject under which a prediction reports a missing fact.
SUBJECT: Final = "what llmaz does with it"
#: The kind and namespace under which the store knows whether the ConfigMap is complete.
CONFIG_MAP: Final = f"ConfigMap/{CONFIG}"
_KEY: Final = "config.data"
_SCHEDULER: Final = "scheduler-name"
_IMAGE: Final = "init-container-image"
#: A line with a key, perhaps a text, and perhaps a comment after a blank.
_LINE: Final = expression(
    r"""(?P<quote>["']?)(?P<key>[A-Za-z][\w.-]*)(?P=quote)[ \t]*:(?:[ \t]+(?:"""
    r""""(?P<double>[^"\\]*)"|'(?P<single>[^']*)'|(?P<plain>(?:[^\s"'#&*!|>@%`{}\[\],?:-]|-\S)(?:\S|[ \t]+[^\s#])*)))?(?:[ \t]+\#.*)?"""
)
#: What ends a key within a text.
_KEY_END: Final = expression(r":(?:\s|$)")
_NULLS: Final = frozenset({"~", "null", "Null", "NULL"})
_DOCUMENT_END: Final = expression(r"---(?:\s.*)?|\.\.\.(?:\s.*)?")
#: The ConfigMap that upstream's kustomization installs.
UPSTREAM_IMAGE: Final = "inftyai/model-loader:v0.0.10"
UPSTREAM_SCHEDULER: Final = "default-scheduler"
#: The controller's message while it has no valid settings, in its own spelling.
NOT_INITIALISED: Final = "globel configs not init"


@dataclass(frozen=True, slots=True)
class KnownOperator:
    """The settings, each with its origin.

    `is_known` is whether the cluster's ConfigMap is known; `is_there` is false if it is known to be missing; `trouble` says why it can't
    be used.
    """

    scheduler: str = UPSTREAM_SCHEDULER
    image: str = UPSTREAM_IMAGE
    scheduler_origin: str = "upstream default"
    image_origin: str = "upstream default"
    is_known: bool = False
    trouble: str = ""
    is_there: bool = True
    #: Whether the ConfigMap is in a form of YAML that is read here.
    is_readable: bool = True

    def settings(self) -> list[Setting]:
        """The settings as a prediction lists them."""
        return [Setting(_SCHEDULER, self.scheduler, self.scheduler_origin), Setting(_IMAGE, self.image, self.image_origin)]


def operator_of(facts: Facts, config: Configuration) -> KnownOperator:
    """The settings of a cluster, as far as they are known."""
    found = next(iter(facts.objects.list("", CONFIG_MAP)), None)
    given = config.settings_of(Llmaz)
    if isinstance(found, dict):
        operator = _read(text(part(found, "data"), _KEY))
    elif facts.objects.knows_all("", CONFIG_MAP):
        operator = KnownOperator(is_known=True, trouble=f"there is no ConfigMap {CONFIG} in {NAMESPACE}", is_there=False)
    else:
        operator = KnownOperator()
    scheduler, image = given.scheduler_name, given.init_container_image
    return KnownOperator(
        operator.scheduler if scheduler is None else scheduler,
        image or operator.image,
        operator.scheduler_origin if scheduler is None else "configuration",
        "configuration" if image else operator.image_origin,
        operator.is_known,
        "" if image else operator.trouble,
        operator.is_there,
        operator.is_readable,
    )


def keep(obj: JSONObject) -> JSONObject | None:
    """The part of a ConfigMap that is kept: the settings of llmaz's; nothing of any other."""
    if name_of(obj) != CONFIG:
        return None
    return {**obj, "data": {_KEY: text(part(obj, "data"), _KEY)}, "binaryData": {}}


def _read(data: str) -> KnownOperator:
    """The settings in the ConfigMap's text."""
    origin = f"ConfigMap {NAMESPACE}/{CONFIG}"
    values = _values(data)
    if values is None:
        return KnownOperator(is_readable=False)
    image, scheduler = values.get(_IMAGE, ""), values.get(_SCHEDULER, "")
    trouble = "" if image else f"{origin} names no {_IMAGE}"
    return KnownOperator(scheduler, image, origin, origin, True, trouble)


def _values(data: str) -> dict[str, str] | None:
    """The texts under the keys of the first YAML document, read line by line; `None` if it has another form than flat keys.

    Lines below a key without a text are left out.
    """
    values: dict[str, str] = {}
    lines = data.splitlines()
    is_indented = not data.startswith(dedent(data)[:1])
    may_nest = False
    for line in dedent(data).splitlines():
        if _DOCUMENT_END.fullmatch(line) and not is_indented:
            if values:
                break
        elif not line.startswith(" ") and line and not line.startswith("#"):
            found = _LINE.fullmatch(line.rstrip())
            value = _text(found) if found is not None else None
            if found is None or value is None:
                return None
            values[found["key"]] = value
            may_nest = not value and found["key"] not in (_IMAGE, _SCHEDULER)
        elif line.startswith(" ") and line.strip() and not may_nest and not line.lstrip().startswith("#"):
            # A key below a text is an error of the whole ConfigMap.
            return {} if _LINE.fullmatch(line.strip()) else None
    return None if any(line.startswith("\t") for line in lines) else values


def _text(line: re.Match[str]) -> str | None:
    """The text of a line; `None` if YAML doesn't allow it."""
    plain = line["plain"] or ""
    if _KEY_END.search(plain):
        return None
    return line["double"] or line["single"] or ("" if plain in _NULLS else plain)
