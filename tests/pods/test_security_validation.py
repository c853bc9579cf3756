"""The API server's errors on the users, groups, profiles and privileges of a pod and of its containers."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.security import container_security_errors, pod_security_errors

# The messages are those of Kubernetes 1.36.
pytestmark = pytest.mark.usefixtures("kubernetes_1_36")

SYSCTL = "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
RANGE = "must be between 0 and 2147483647, inclusive"
#: The ids of users and groups that a pod and a container may both set.
RUN_AS: list[tuple[JSONObject, list[str]]] = [
    ({"runAsUser": 0}, []),
    ({"runAsUser": 2147483647}, []),
    ({"runAsUser": -1}, [f"runAsUser: Invalid value: -1: {RANGE}"]),
    ({"runAsUser": 2147483648}, [f"runAsUser: Invalid value: 2147483648: {RANGE}"]),
    ({"runAsUser": None}, []),
    ({"runAsGroup": 0}, []),
    ({"runAsGroup": 2147483647}, []),
    ({"runAsGroup": -1}, [f"runAsGroup: Invalid value: -1: {RANGE}"]),
    ({"runAsGroup": 2147483648}, [f"runAsGroup: Invalid value: 2147483648: {RANGE}"]),
    ({"runAsGroup": None}, []),
]
BOTH = "cannot set `allowPrivilegeEscalation` to false and "
TYPES = 'supported values: "Localhost", "RuntimeDefault", "Unconfined"'
NO_SECCOMP = "can only be set when seccomp type is Localhost"
NO_APPARMOR = "can only be set when AppArmor type is Localhost"
NAME = "sysctls[0].name: Invalid value: "


def of_pod(context: JSONObject) -> list[str]:
    """The errors on a pod's security context."""
    return [str(error).removeprefix("p.") for error in pod_security_errors(context, "p")]


def of_container(context: JSONObject, *, host_users: bool = True) -> list[str]:
    """The errors on a container's security context."""
    return [str(error).removeprefix("c.") for error in container_security_errors(context, "c", host_users=host_users)]


def of_profile(field: str, profile: JSONObject) -> list[str]:
    """The errors on a profile, of the pod or of a container."""
    errors = of_pod({field: profile})
    assert errors == of_container({field: profile})
    return [error.removeprefix(f"{field}.") for error in errors]


def of_sysctls(*names: str) -> list[str]:
    """The errors on the kernel parameters that a pod sets."""
    return of_pod({"sysctls": [{"name": name, "value": "1"} for name in names]})


@pytest.mark.parametrize(
    ("context", "errors"),
    [
        ({}, []),
        ({"fsGroup": 0}, []),
        ({"fsGroup": 2147483647}, []),
        ({"fsGroup": -1}, [f"fsGroup: Invalid value: -1: {RANGE}"]),
        ({"fsGroup": 2147483648}, [f"fsGroup: Invalid value: 2147483648: {RANGE}"]),
        ({"fsGroup": None}, []),
        *RUN_AS,
        ({"fsGroup": True}, []),
        ({"supplementalGroups": [0, 2147483647]}, []),
        (
            {"supplementalGroups": [-1, 0, 2147483648]},
            [f"supplementalGroups[0]: Invalid value: -1: {RANGE}", f"supplementalGroups[2]: Invalid value: 2147483648: {RANGE}"],
        ),
        ({"supplementalGroups": None}, []),
        ({"fsGroupChangePolicy": "Always"}, []),
        ({"fsGroupChangePolicy": "OnRootMismatch"}, []),
        ({"fsGroupChangePolicy": "x"}, ['fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"']),
        ({"supplementalGroupsPolicy": "Merge"}, []),
        ({"supplementalGroupsPolicy": "Strict"}, []),
        ({"supplementalGroupsPolicy": ""}, ['supplementalGroupsPolicy: Unsupported value: "": supported values: "Merge", "Strict"']),
        ({"supplementalGroupsPolicy": None}, []),
        ({"seLinuxChangePolicy": "MountOption"}, ['seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"']),
        ({"seLinuxChangePolicy": "Recursive"}, []),
        ({"seLinuxChangePolicy": "x"}, ['seLinuxChangePolicy: Unsupported value: "x": supported values: "Recursive"']),
        (
            {
                "seLinuxChangePolicy": "x",
                "supplementalGroupsPolicy": "y",
                "appArmorProfile": {"type": "z"},
                "seccompProfile": {"type": "z"},
                "fsGroupChangePolicy": "z",
                "sysctls": [{}],
                "supplementalGroups": [-2],
                "runAsGroup": -3,
                "runAsUser": -4,
                "fsGroup": -5,
            },
            [
                f"fsGroup: Invalid value: -5: {RANGE}",
                f"runAsUser: Invalid value: -4: {RANGE}",
                f"runAsGroup: Invalid value: -3: {RANGE}",
                f"supplementalGroups[0]: Invalid value: -2: {RANGE}",
                "sysctls[0].name: Required value",
                'fsGroupChangePolicy: Unsupported value: "z": supported values: "Always", "OnRootMismatch"',
                f'seccompProfile.type: Unsupported value: "z": {TYPES}',
                f'appArmorProfile.type: Unsupported value: "z": {TYPES}',
                'supplementalGroupsPolicy: Unsupported value: "y": supported values: "Merge", "Strict"',
                'seLinuxChangePolicy: Unsupported value: "x": supported values: "Recursive"',
            ],
        ),
    ],
)
def test_a_pod_has_users_groups_and_policies_that_there_are(context: JSONObject, errors: list[str]) -> None:
    assert of_pod(context) == errors


@pytest.mark.parametrize(
    ("names", "errors"),
    [
        (["a", "kernel.shm_rmid_forced", "net/ipv4/a-b.0"], []),
        (["a", "b", "a", "a"], ['sysctls[2].name: Duplicate value: "a"', 'sysctls[3].name: Duplicate value: "a"']),
        (["", ""], ["sysctls[0].name: Required value", "sysctls[1].name: Required value"]),
        (["A"], [f'{NAME}"A": {SYSCTL}']),
        (["a."], [f'{NAME}"a.": {SYSCTL}']),
        ([".a"], [f'{NAME}".a": {SYSCTL}']),
        (["a..b"], [f'{NAME}"a..b": {SYSCTL}']),
        (["-a"], [f'{NAME}"-a": {SYSCTL}']),
        (["a-"], [f'{NAME}"a-": {SYSCTL}']),
        (["a b"], [f'{NAME}"a b": {SYSCTL}']),
        (["é"], [f'{NAME}"é": {SYSCTL}']),
        (["a\n"], [f'{NAME}"a\\n": {SYSCTL}']),
    ],
)
def test_a_parameter_of_the_kernel_is_set_once(names: list[str], errors: list[str]) -> None:
    assert of_sysctls(*names) == errors


@pytest.mark.parametrize(
    ("profile", "errors"),
    [
        ({"type": "RuntimeDefault"}, []),
        ({"type": "Unconfined"}, []),
        ({}, ["type: Required value: type is required when seccompProfile is set"]),
        ({"type": ""}, ["type: Required value: type is required when seccompProfile is set"]),
        ({"type": "x"}, [f'type: Unsupported value: "x": {TYPES}']),
        ({"type": "Localhost"}, ["localhostProfile: Required value: must be set when seccomp type is Localhost"]),
        ({"type": "Localhost", "localhostProfile": ""}, []),
        ({"type": "Localhost", "localhostProfile": "a/b.json"}, []),
        ({"type": "Localhost", "localhostProfile": "/a"}, ['localhostProfile: Invalid value: "/a": must be a relative path']),
        ({"type": "Localhost", "localhostProfile": "a/../b"}, ["localhostProfile: Invalid value: \"a/../b\": must not contain '..'"]),
        (
            {"type": "RuntimeDefault", "localhostProfile": "a"},
            [f'localhostProfile: Invalid value: {{"Type":"RuntimeDefault","LocalhostProfile":"a"}}: {NO_SECCOMP}'],
        ),
        (
            {"type": "Unconfined", "localhostProfile": ""},
            [f'localhostProfile: Invalid value: {{"Type":"Unconfined","LocalhostProfile":""}}: {NO_SECCOMP}'],
        ),
        (
            {"localhostProfile": "a"},
            [
                "type: Required value: type is required when seccompProfile is set",
                f'localhostProfile: Invalid value: {{"Type":"","LocalhostProfile":"a"}}: {NO_SECCOMP}',
            ],
        ),
        (
            {"type": "x", "localhostProfile": "a"},
            [
                f'type: Unsupported value: "x": {TYPES}',
                f'localhostProfile: Invalid value: {{"Type":"x","LocalhostProfile":"a"}}: {NO_SECCOMP}',
            ],
        ),
    ],
)
def test_a_seccomp_profile_has_a_type_and_a_file_only_if_local(profile: JSONObject, errors: list[str]) -> None:
    assert of_profile("seccompProfile", profile) == errors


@pytest.mark.parametrize(
    ("profile", "errors"),
    [
        ({"type": "RuntimeDefault"}, []),
        ({"type": "Unconfined"}, []),
        ({}, ["type: Required value: type is required when appArmorProfile is set"]),
        ({"type": "x"}, [f'type: Unsupported value: "x": {TYPES}']),
        ({"type": "Localhost"}, ["localhostProfile: Required value: must be set when AppArmor type is Localhost"]),
        ({"type": "Localhost", "localhostProfile": ""}, ["localhostProfile: Required value: must be set when AppArmor type is Localhost"]),
        ({"type": "Localhost", "localhostProfile": "/a"}, []),
        ({"type": "RuntimeDefault", "localhostProfile": "a"}, [f'localhostProfile: Invalid value: "a": {NO_APPARMOR}']),
        ({"type": "Unconfined", "localhostProfile": ""}, [f'localhostProfile: Invalid value: "": {NO_APPARMOR}']),
        ({"localhostProfile": "a"}, ["type: Required value: type is required when appArmorProfile is set"]),
        ({"type": "x", "localhostProfile": "a"}, [f'type: Unsupported value: "x": {TYPES}']),
    ],
)
def test_an_apparmor_profile_has_a_type_and_a_name_only_if_local(profile: JSONObject, errors: list[str]) -> None:
    assert of_profile("appArmorProfile", profile) == errors


@pytest.mark.parametrize(
    ("context", "errors"),
    [
        ({}, []),
        *RUN_AS,
        ({"procMount": "Default"}, []),
        ({"procMount": None}, []),
        ({"procMount": "x"}, ['procMount: Unsupported value: "x": supported values: "Default", "Unmasked"']),
        ({"procMount": "Unmasked"}, ['procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`']),
        ({"seccompProfile": None, "appArmorProfile": None}, []),
        ({"allowPrivilegeEscalation": True, "privileged": True}, []),
        ({"allowPrivilegeEscalation": False, "privileged": False}, []),
        ({"privileged": True}, []),
        ({"allowPrivilegeEscalation": True, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}, []),
        ({"allowPrivilegeEscalation": False, "capabilities": {"add": ["SYS_ADMIN"], "drop": ["CAP_SYS_ADMIN"]}}, []),
    ],
)
def test_a_container_has_users_and_privileges_that_go_together(context: JSONObject, errors: list[str]) -> None:
    assert of_container(context) == errors


def test_a_name_of_a_parameter_has_253_characters_at_most() -> None:
    assert of_sysctls("a" * 253) == []
    assert of_sysctls("a" * 254) == [f'{NAME}"{"a" * 254}": {SYSCTL}']


def test_a_pod_with_users_of_its_own_may_see_all_of_proc() -> None:
    assert of_container({"procMount": "Unmasked"}, host_users=False) == []
    assert of_container({"procMount": "x"}, host_users=False) == of_container({"procMount": "x"})


def test_a_context_that_contradicts_itself_is_printed_whole() -> None:
    context = {
        "allowPrivilegeEscalation": False,
        "privileged": True,
        "capabilities": {"add": ["CAP_SYS_ADMIN"]},
        "seLinuxOptions": {"level": "s0"},
        "seccompProfile": {"type": "Localhost", "localhostProfile": "a"},
        "runAsUser": 7,
    }
    shown = (
        '{"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"},'
        '"WindowsOptions":null,"RunAsUser":7,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,'
        '"ProcMount":null,"SeccompProfile":{"Type":"Localhost","LocalhostProfile":"a"},"AppArmorProfile":null}'
    )
    assert of_container(context) == [
        f"c: Invalid value: {shown}: {BOTH}`privileged` to true",
        f"c: Invalid value: {shown}: {BOTH}`capabilities.Add` CAP_SYS_ADMIN",
    ]
    assert len(of_container({**context, "privileged": False})) == 1


def test_the_errors_of_a_container_have_an_order() -> None:
    context = {
        "appArmorProfile": {},
        "allowPrivilegeEscalation": False,
        "privileged": True,
        "seccompProfile": {},
        "procMount": "x",
        "runAsGroup": -1,
        "runAsUser": -1,
    }
    order = ["runAsUser", "runAsGroup", "procMount", "seccompProfile.type", "c", "appArmorProfile.type"]
    assert [error.split(":")[0] for error in of_container(context)] == order
