"""Upstream's own manifests: which of them its CRDs accept, in both versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

OLD = parse({"llmkube": {"version": "v0.9.5"}})
#: Manifests that v0.9.5 refuses: the field, or nothing if it lacks the kind.
TOO_NEW = {
    ("model_s3_source.yaml", "Model"): "spec.sourceSecretRef",
    ("inference_v1alpha1_modelpool.yaml", "ModelPool"): "",
}


def manifests(shared: Path) -> Iterator[tuple[str, Any]]:
    """Every object of the family with its file."""
    kinds = {kind.gvk for kind in FAMILY.kinds if not kind.is_checked_only}
    for path in sorted((shared / "corpus" / "llmkube" / "samples").rglob("*.yaml")):
        for document in read_all(path.read_text()):
            if isinstance(document, dict) and GroupVersionKind.from_object(document) in kinds:
                yield path.name, document


def refused(obj: Any, facts: Facts) -> tuple[bool, list[str]]:
    """Whether the API server refuses the object as kubectl sends it, and the fields in the message."""
    request = request_of(obj, facts.definitions, uid="sample", namespace="default")
    decision = decide(request, facts, DEFAULT, Phase.APISERVER)
    return not decision.allowed, [finding.field for finding in decision.findings]


def test_the_newest_crds_take_all_of_them(shared: Path) -> None:
    facts = from_objects([], bundled_definitions())
    found = {(name, obj["kind"]): refused(obj, facts) for name, obj in manifests(shared)}
    assert {sample: answer for sample, answer in found.items() if answer != (False, [])} == {}
    assert len(found) >= 15


@pytest.mark.parametrize("sample", sorted(TOO_NEW), ids=lambda sample: sample[0])
def test_the_old_crds_refuse_what_came_later(shared: Path, sample: tuple[str, str]) -> None:
    facts = from_objects([], bundled_definitions(OLD))
    obj = next(obj for name, obj in manifests(shared) if (name, obj["kind"]) == sample)
    if TOO_NEW[sample]:
        is_refused, fields = refused(obj, facts)
        assert is_refused
        assert TOO_NEW[sample] in fields
    else:
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        assert facts.definitions.get(gvk) is None


def test_the_old_crds_take_the_others(shared: Path) -> None:
    facts = from_objects([], bundled_definitions(OLD))
    found = {(name, obj["kind"]): refused(obj, facts) for name, obj in manifests(shared) if (name, obj["kind"]) not in TOO_NEW}
    assert {sample: answer for sample, answer in found.items() if answer != (False, [])} == {}
