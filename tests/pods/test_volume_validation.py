"""Each of the API server's errors on a pod's volumes, mounts and spread."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.affinity import spread_errors
from weighbridge.policies.pods.validation.volumes import mount_errors, volume_errors

TWO_TYPES = "Forbidden: may not specify more than 1 volume type"
MODE = "must be a number between 0 and 0777 (octal), both inclusive"
HOST_PATHS = '"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"'
ONLY_PRIVILEGED = "Forbidden: Bidirectional mount propagation is available only to privileged containers"


def of_volume(**volume: JSONObject) -> list[str]:
    return list(map(str, volume_errors([{"name": "v", **volume}], "vs")))


def of_mount(mount: JSONObject, *, is_privileged: bool = False) -> list[str]:
    found = mount_errors([{"name": "v", "mountPath": "/x", **mount}], {"v"}, "ms", is_privileged=is_privileged)
    return list(map(str, found))


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({}, []),
        ({"emptyDir": {}}, []),
        ({"emptyDir": {"sizeLimit": "0"}}, []),
        ({"emptyDir": {"sizeLimit": "-1"}}, ["emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"]),
        ({"hostPath": {"path": "/a..b"}}, []),
        ({"hostPath": {"path": "/a/../b"}}, ["hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"]),
        ({"hostPath": {"path": "/a", "type": "Socket"}}, []),
        ({"hostPath": {"path": "/a", "type": "x"}}, [f'hostPath.type: Unsupported value: "x": supported values: {HOST_PATHS}']),
        ({"hostPath": {}}, ["hostPath.path: Required value"]),
        ({"persistentVolumeClaim": {}}, ["persistentVolumeClaim.claimName: Required value"]),
        ({"secret": {}}, ["secret.secretName: Required value"]),
        ({"csi": {}}, ["csi.driver: Required value"]),
        ({"nfs": {"server": "s", "path": "/p"}}, []),
        ({"nfs": {"server": "s"}}, ["nfs.path: Required value"]),
        ({"nfs": {"server": "s", "path": "p"}}, ['nfs.path: Invalid value: "p": must be an absolute path']),
        ({"nfs": {}}, ["nfs.server: Required value", "nfs.path: Required value"]),
        ({"ephemeral": {}}, ["ephemeral.volumeClaimTemplate: Required value"]),
        ({"ephemeral": {"volumeClaimTemplate": {}}}, []),
        ({"configMap": {"name": "c", "defaultMode": 0}}, []),
        ({"configMap": {"name": "c", "defaultMode": 0o777}}, []),
        ({"configMap": {"name": "c", "defaultMode": 512}}, [f"configMap.defaultMode: Invalid value: 512: {MODE}"]),
        ({"configMap": {"name": "c", "defaultMode": -1}}, [f"configMap.defaultMode: Invalid value: -1: {MODE}"]),
        ({"secret": {"secretName": "c", "defaultMode": 512}}, [f"secret.defaultMode: Invalid value: 512: {MODE}"]),
        ({"configMap": {}, "emptyDir": {}}, [f"configMap: {TWO_TYPES}"]),
        (
            {"csi": None, "secret": {"secretName": "s"}, "nfs": {}, "hostPath": {"path": "/a"}},
            [f"secret: {TWO_TYPES}", f"nfs: {TWO_TYPES}"],
        ),
    ],
)
def test_a_volume_has_one_source_with_all_that_it_needs(source: dict[str, JSONObject], errors: list[str]) -> None:
    assert of_volume(**source) == [f"vs[0].{error}" for error in errors]


@pytest.mark.parametrize(
    ("item", "errors"),
    [
        ({"key": "k", "path": "p/q"}, []),
        ({"key": "k", "path": "a..b"}, []),
        ({}, ["key: Required value", "path: Required value"]),
        ({"key": "k", "path": "/p"}, ['path: Invalid value: "/p": must be a relative path']),
        ({"key": "k", "path": "p/.."}, ["path: Invalid value: \"p/..\": must not contain '..'"]),
        ({"key": "k", "path": "../p"}, ["path: Invalid value: \"../p\": must not contain '..'"]),
        ({"key": "k", "path": "..p"}, ["path: Invalid value: \"..p\": must not start with '..'"]),
        ({"key": "k", "path": "p", "mode": 0o777}, []),
        ({"key": "k", "path": "p", "mode": 512}, [f"mode: Invalid value: 512: {MODE}"]),
    ],
)
def test_a_key_goes_to_a_place_inside_the_volume(item: JSONObject, errors: list[str]) -> None:
    assert of_volume(configMap={"name": "c", "items": [item]}) == [f"vs[0].configMap.items[0].{error}" for error in errors]


def test_every_volume_has_a_name_of_its_own() -> None:
    found = list(map(str, volume_errors([{"name": "v"}, {"name": "v"}, {}, {"name": "A"}], "vs")))
    assert found[:2] == ['vs[1].name: Duplicate value: "v"', "vs[2].name: Required value"]
    assert found[2].startswith('vs[3].name: Invalid value: "A": a lowercase RFC 1123 label must consist of')
    assert len(found) == 3
    # A volume with an error doesn't occupy its name.
    assert len(list(volume_errors([{"name": "v", "hostPath": {}}, {"name": "v"}], "vs"))) == 1


@pytest.mark.parametrize(
    ("mount", "errors"),
    [
        ({}, []),
        ({"name": ""}, ["ms[0].name: Required value", 'ms[0].name: Not found: ""']),
        ({"name": "w"}, ['ms[0].name: Not found: "w"']),
        ({"mountPath": ""}, ["ms[0].mountPath: Required value"]),
        ({"subPath": "a/b"}, []),
        ({"subPath": "/a"}, ['ms.subPath: Invalid value: "/a": must be a relative path']),
        ({"subPath": "a/.."}, ["ms.subPath: Invalid value: \"a/..\": must not contain '..'"]),
        ({"subPathExpr": "/a"}, ['ms.subPathExpr: Invalid value: "/a": must be a relative path']),
        ({"subPathExpr": ".."}, ["ms.subPathExpr: Invalid value: \"..\": must not contain '..'"]),
        (
            {"subPath": "a", "subPathExpr": "b"},
            ['ms[0].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive'],
        ),
        ({"mountPropagation": "None"}, []),
        ({"mountPropagation": "HostToContainer"}, []),
        ({"mountPropagation": "Bidirectional"}, [f"ms.mountPropagation: {ONLY_PRIVILEGED}"]),
        (
            {"mountPropagation": "x"},
            ['ms.mountPropagation: Unsupported value: "x": supported values: "Bidirectional", "HostToContainer", "None"'],
        ),
        ({"recursiveReadOnly": "Disabled"}, []),
        ({"recursiveReadOnly": "Enabled", "readOnly": True}, []),
        ({"recursiveReadOnly": "Enabled"}, ["ms.recursiveReadOnly: Forbidden: may only be specified when readOnly is true"]),
        (
            {"recursiveReadOnly": "x"},
            ['ms.recursiveReadOnly: Unsupported value: "x": supported values: "Disabled", "Enabled", "IfPossible"'],
        ),
    ],
)
def test_a_mount_says_which_volume_goes_where(mount: JSONObject, errors: list[str]) -> None:
    assert of_mount(mount) == errors


def test_a_privileged_container_may_mount_in_both_directions() -> None:
    assert of_mount({"mountPropagation": "Bidirectional"}, is_privileged=True) == []


def test_two_mounts_have_different_paths() -> None:
    mounts = [{"name": "v", "mountPath": path} for path in ("/x", "/y", "/x")]
    found = mount_errors(mounts, {"v"}, "ms", is_privileged=False)
    assert list(map(str, found)) == ['ms[2].mountPath: Invalid value: "/x": must be unique']


@pytest.mark.parametrize(
    ("constraint", "errors"),
    [
        ({}, []),
        ({"maxSkew": 0}, ["maxSkew: Invalid value: 0: must be greater than zero"]),
        ({"topologyKey": ""}, ["topologyKey: Required value: can not be empty"]),
        (
            {"whenUnsatisfiable": "x"},
            ['whenUnsatisfiable: Unsupported value: "x": supported values: "DoNotSchedule", "ScheduleAnyway"'],
        ),
        ({"minDomains": 1}, []),
        ({"minDomains": 0}, ["minDomains: Invalid value: 0: must be greater than zero"]),
        (
            {"minDomains": 1, "whenUnsatisfiable": "ScheduleAnyway"},
            ["minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"],
        ),
        ({"nodeAffinityPolicy": "Honor", "nodeTaintsPolicy": "Ignore"}, []),
        ({"nodeAffinityPolicy": "x"}, ['nodeAffinityPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"']),
        ({"nodeTaintsPolicy": "x"}, ['nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"']),
    ],
)
def test_a_spread_constraint_says_how_far_and_over_what(constraint: JSONObject, errors: list[str]) -> None:
    given = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **constraint}
    assert list(map(str, spread_errors([given], "cs"))) == [f"cs[0].{error}" for error in errors]


def test_of_two_spread_constraints_that_are_the_same_the_first_is_named() -> None:
    def spread(key: str, when: str) -> JSONObject:
        return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": when}

    three = [spread("zone", "DoNotSchedule"), spread("rack", "DoNotSchedule"), spread("zone", "ScheduleAnyway")]
    assert list(spread_errors(three, "cs")) == []
    found = list(map(str, spread_errors([*three, spread("rack", "DoNotSchedule")], "cs")))
    assert found == ['cs[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{rack, DoNotSchedule}"']
