"""Functions on names of images. The API server has no such functions.

``image(text)`` splits a name as container runtimes do. ``registry()`` is ``docker.io`` if none is written, ``repository()`` is the whole
repository with its registry, ``tag()`` and ``digest()`` are empty if there is none, and ``isPinned()`` says whether it has a digest.
``quantity`` also takes whole numbers, since manifests write amounts without quotes.
"""

from __future__ import annotations

from typing import ClassVar, Final

from weighbridge.policies.cel.library import quantity
from weighbridge.policies.cel.library.overload import Library, one, one_estimated, traversal, traversal_estimated
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.types import BOOL, INT, STRING, struct
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.images import Reference

TYPE: Final = struct("weighbridge.Image")


@dataclass(slots=True, eq=False)
class ImageValue:
    """The value of ``image(text)``."""

    reference: Reference

    cel_type: ClassVar[str] = TYPE.name
    go_type: ClassVar[str] = TYPE.name

    def equals(self, other: object) -> bool | None:
        """Whether both name the same image; `None` if the other isn't an image."""
        if not isinstance(other, ImageValue):
            return None
        return _parts(self.reference) == _parts(other.reference)


def _parts(reference: Reference) -> tuple[str, str, str]:
    return reference.repository, reference.tag, reference.digest


def read(text: str) -> ImageValue:
    """``image(text)``."""
    reference = Reference.read(text)
    if not reference.name or any(char.isspace() for char in text):
        raise CelError(f"{text[:64]!r} isn't the name of an image")
    return ImageValue(reference)


def is_image(text: str) -> bool:
    """``isImage(text)``."""
    try:
        read(text)
    except CelError:
        return False
    return True


def _registry(image: ImageValue) -> str:
    return image.reference.repository.partition("/")[0]


def _repository(image: ImageValue) -> str:
    return image.reference.repository


def _tag(image: ImageValue) -> str:
    return image.reference.tag


def _digest(image: ImageValue) -> str:
    return image.reference.digest


def _is_pinned(image: ImageValue) -> bool:
    return bool(image.reference.digest)


def _amount(number: int) -> quantity.QuantityValue:
    return quantity.parse(str(number))


FLAT.add(ImageValue)
LIBRARY: Final = Library()
LIBRARY.type(TYPE)
LIBRARY.function("image", "string_to_image", (STRING,), TYPE, read, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function("isImage", "is_image_string", (STRING,), BOOL, is_image, cost=traversal(0), estimate=traversal_estimated(0))
for _name, _call in (("registry", _registry), ("repository", _repository), ("tag", _tag), ("digest", _digest)):
    LIBRARY.member(_name, f"image_{_name}", (TYPE,), STRING, _call, cost=one, estimate=one_estimated)
LIBRARY.member("isPinned", "image_is_pinned", (TYPE,), BOOL, _is_pinned, cost=one, estimate=one_estimated)
LIBRARY.function("quantity", "int_to_quantity", (INT,), quantity.TYPE, _amount, cost=one, estimate=one_estimated)
