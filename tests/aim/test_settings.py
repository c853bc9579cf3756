"""Mistakes in the configuration's section `aim`."""

from __future__ import annotations

from weighbridge.policies.families.aim.settings import Aim, DownloadImages, ResourceNames


def test_each_mistake_is_told_at_its_key() -> None:
    settings = Aim(ResourceNames(amd="gpu", nvidia="nvidia.com/gpu"), DownloadImages(artifact="a b", model_cache=""))
    assert list(settings.mistakes(("aim",))) == [
        (("aim", "resourceNames", "amd"), "'gpu' isn't a resource name; write domain/name, such as amd.com/gpu"),
        (("aim", "downloadImages", "artifact"), "'a b' isn't an image"),
        (("aim", "downloadImages", "modelCache"), "'' isn't an image"),
    ]


def test_nothing_has_to_be_set() -> None:
    assert list(Aim().mistakes(("aim",))) == []
