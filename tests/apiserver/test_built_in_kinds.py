"""The built-in kinds of kube-apiserver, release by release."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.built_in import built_in_groups, is_built_in
from weighbridge.policies.ground.server_release import RELEASES, judging, nearest

SERVED = {
    ("apps", "v1", "Deployment"): "1.34 1.35 1.36 1.37",
    ("scheduling.k8s.io", "v1", "PriorityClass"): "1.34 1.35 1.36 1.37",
    ("scheduling.k8s.io", "v1alpha1", "Workload"): "1.35",
    ("scheduling.k8s.io", "v1alpha2", "PodGroup"): "1.36",
    ("scheduling.k8s.io", "v1beta1", "PodGroup"): "1.37",
    ("scheduling.k8s.io", "v1alpha3", "CompositePodGroup"): "1.37",
    ("resource.k8s.io", "v1beta2", "DeviceTaintRule"): "1.36 1.37",
    ("resource.k8s.io", "v1", "DeviceTaintRule"): "1.37",
    ("networking.k8s.io", "v1beta1", "IPAddress"): "1.34 1.35 1.36",
    ("lifecycle.k8s.io", "v1alpha1", "EvictionRequest"): "1.37",
    ("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy"): "1.36 1.37",
    ("apps", "v1beta1", "Deployment"): "",
}


@pytest.mark.parametrize(("kind", "releases"), SERVED.items(), ids=lambda value: "/".join(value) if isinstance(value, tuple) else "")
def test_a_kind_is_built_in_where_the_release_has_it(kind: tuple[str, str, str], releases: str) -> None:
    found = []
    for each in RELEASES:
        with judging(each):
            found += [each.name] if is_built_in(*kind) else []
    assert found == releases.split()


def test_a_group_without_kinds_is_none() -> None:
    release = nearest("1.36")
    assert release is not None
    with judging(release):
        assert "lifecycle.k8s.io" not in built_in_groups()
        assert all(versions for kinds in built_in_groups().values() for versions in kinds.values())
