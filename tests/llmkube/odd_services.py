"""Services that LLMKube's CRDs accept, but whose Deployment the API server may refuse: the spec of each.

There is one line for each possible mistake of an author, and some for things that look wrong but aren't.
"""

from __future__ import annotations

from weighbridge.policies.ground.objects import JSONObject


def _probe(kind: str, **fields: object) -> JSONObject:
    return {"probeOverrides": {kind: fields}}


def _volume(name: str = "v", **source: object) -> JSONObject:
    return {"extraVolumes": [{"name": name, **source}]}


def _mount(**fields: object) -> JSONObject:
    return {"extraVolumes": [{"name": "v", "emptyDir": {}}], "extraVolumeMounts": [{"name": "v", "mountPath": "/v", **fields}]}


def _variable(name: str = "A", **fields: object) -> JSONObject:
    return {"env": [{"name": name, **fields}]}


def _spread(**fields: object) -> JSONObject:
    return {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **fields}]}


def _toleration(**fields: object) -> JSONObject:
    return {"tolerations": [fields]}


def _near(kind: str, **fields: object) -> JSONObject:
    return {"affinity": {kind: fields}}


_REQUIRED, _PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"

#: The specs of services; the Model is one without hardware.
SERVICES: list[JSONObject] = [
    _toleration(key="a", operator="Exists", value="x"),
    _toleration(key="a", operator="In", value="x"),
    _toleration(key="a", operator="Exists", effect="NoSchedule", tolerationSeconds=5),
    _toleration(key="a", operator="Exists", effect="NoExecute", tolerationSeconds=5),
    _toleration(operator="Exists"),
    _toleration(value="b ad"),
    _toleration(key="-", operator="Exists"),
    {"resources": {"memory": "-1Gi"}},
    {"resources": {"ephemeralStorage": "-5Gi"}},
    {"resources": {"cpu": "1u", "memory": "0.1", "ephemeralStorage": "."}},
    {"resources": {"cpu": "1e-5", "memory": "1.0000001Ki"}},
    {"resources": {"memory": "99999999999999999999Ei"}},
    {"runtime": "vllm", "vllmConfig": {"hfTokenSecretRef": {"key": "token"}}},
    {"runtime": "vllm", "vllmConfig": {"hfTokenSecretRef": {"key": "to ken", "name": "Bad_Name"}}},
    {"runtime": "generic"},
    {"image": " "},
    {"podSecurityContext": {"fsGroup": -1, "runAsUser": -5, "supplementalGroups": [-1, 4]}},
    {"podSecurityContext": {"seccompProfile": {"type": "Bad"}}},
    {"podSecurityContext": {"seccompProfile": {"type": "Localhost"}}},
    {"podSecurityContext": {"sysctls": [{"name": "", "value": "1"}, {"name": "kernel.shm_rmid_forced", "value": "1"}]}},
    {"podSecurityContext": {"sysctls": [{"name": "A b", "value": "1"}, {"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}},
    {"podSecurityContext": {"fsGroupChangePolicy": "X", "supplementalGroupsPolicy": "Y"}},
    {"podSecurityContext": {"appArmorProfile": {"type": "X"}}},
    {"podSecurityContext": {"appArmorProfile": {"type": "Unconfined", "localhostProfile": "x"}}},
    {"securityContext": {"allowPrivilegeEscalation": False, "privileged": True, "seccompProfile": {"type": "Unconfined"}}},
    {"securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}, "runAsUser": 1}},
    {"securityContext": {"runAsUser": -1, "runAsGroup": -2}},
    {"securityContext": {"procMount": "X"}},
    {"securityContext": {"procMount": "Unmasked"}},
    {"securityContext": {"seccompProfile": {"type": "Unconfined", "localhostProfile": "x"}}},
    _probe("liveness", periodSeconds=3),
    _probe("liveness", httpGet={"port": 0}, successThreshold=2, terminationGracePeriodSeconds=0),
    _probe("readiness", httpGet={"port": "http", "path": ""}, tcpSocket={"port": 70000}, terminationGracePeriodSeconds=3),
    _probe("startup", exec={"command": []}, timeoutSeconds=-1),
    _probe("startup", exec={"command": ["x"]}, failureThreshold=-1, successThreshold=3),
    _probe("liveness", grpc={"port": 0}),
    _probe("liveness", httpGet={"port": "Bad Name!", "scheme": "FTP"}),
    _probe("liveness", tcpSocket={"port": "toolongportname-x"}),
    _probe("liveness", tcpSocket={"port": "-1--"}),
    _probe("liveness", httpGet={"port": 80, "httpHeaders": [{"name": "b d", "value": "x"}]}),
    _volume(),
    _volume("V_", emptyDir={}, hostPath={"path": "/x"}),
    _volume("", emptyDir={}),
    _volume("model-cache", emptyDir={}),
    _volume(hostPath={"path": ""}),
    _volume(hostPath={"path": "/a/../b", "type": "Foo"}),
    _volume(persistentVolumeClaim={"claimName": ""}),
    _volume(secret={}),
    _volume(persistentVolumeClaim={"claimName": "c"}, emptyDir={}, csi={"driver": "d"}),
    _volume(configMap={}),
    _volume(configMap={"name": "x", "defaultMode": 9999, "items": [{"key": "", "path": ""}]}),
    _volume(secret={"secretName": "s", "items": [{"key": "k", "path": "../x"}, {"key": "k", "path": "..x", "mode": -1}]}),
    _volume(emptyDir={"sizeLimit": "-1"}),
    _volume(nfs={"server": "", "path": "x"}),
    _volume(csi={"driver": ""}),
    _volume(ephemeral={}),
    _mount(mountPath="/models"),
    _mount(name="", mountPath=""),
    _mount(name="nope"),
    _mount(subPath="/x", subPathExpr="../y", mountPropagation="X"),
    _mount(recursiveReadOnly="Enabled"),
    _mount(mountPropagation="Bidirectional"),
    _variable("A=B", value="x"),
    _variable("A B", value="x"),
    _variable("É", value="x"),
    _variable("", value="x"),
    _variable(value="v", valueFrom={"secretKeyRef": {"name": "s", "key": "k"}}),
    _variable(valueFrom={}),
    _variable(valueFrom={"fieldRef": {"fieldPath": "x.y"}}),
    _variable(valueFrom={"fieldRef": {"fieldPath": "metadata.labels"}}),
    _variable(valueFrom={"fieldRef": {"fieldPath": "metadata.labels['a']"}}),
    _variable(valueFrom={"fieldRef": {"fieldPath": "metadata.name", "apiVersion": "v2"}}),
    _variable(valueFrom={"secretKeyRef": {"name": "s", "key": "..k"}}),
    _variable(valueFrom={"resourceFieldRef": {"resource": "foo"}}),
    _variable(valueFrom={"configMapKeyRef": {"name": "", "key": ""}}),
    _variable(valueFrom={"fieldRef": {"fieldPath": "metadata.name"}, "secretKeyRef": {"name": "s", "key": "k"}}),
    _spread(maxSkew=0, topologyKey="", whenUnsatisfiable="X"),
    _spread(minDomains=0),
    _spread(whenUnsatisfiable="ScheduleAnyway", minDomains=2),
    _spread(nodeAffinityPolicy="X", nodeTaintsPolicy="Y", labelSelector={"matchExpressions": [{"key": "a", "operator": "X"}]}),
    {"topologySpreadConstraints": _spread()["topologySpreadConstraints"] * 2},
    _near("nodeAffinity", **{_REQUIRED: {"nodeSelectorTerms": []}}),
    _near(
        "nodeAffinity", **{_REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "-", "operator": "Foo", "values": ["b d"]}]}]}}
    ),
    _near("nodeAffinity", **{_PREFERRED: [{"weight": 0, "preference": {"matchExpressions": [{"key": "a", "operator": "In"}]}}]}),
    _near("podAntiAffinity", **{_REQUIRED: [{"topologyKey": ""}]}),
    _near("podAntiAffinity", **{_PREFERRED: [{"weight": 101, "podAffinityTerm": {"topologyKey": "b d", "namespaces": ["Bad_"]}}]}),
    _near("podAffinity", **{_REQUIRED: [{"topologyKey": "a", "labelSelector": {"matchLabels": {"b d": "x"}}}]}),
    {"priorityClassName": "Bad_Name"},
    {"runtimeClassName": "Bad_"},
    {"imagePullSecrets": [{"name": "Bad_"}, {}]},
    {"podAnnotations": {"bad key": "x"}},
    {"podAnnotations": {"a/b/c": "d", "Up.Case/x": "y"}},
    {"podLabels": {"bad key": "x"}},
    {"podLabels": {"a": "x" * 64}},
    {"nodeSelector": {"bad key": "x"}},
    {"nodeSelector": {"a/b": ""}},
    {"revisionHistoryLimit": 0},
]


def _gpu(**fields: object) -> JSONObject:
    return {"hardware": {"gpu": fields}}


#: The specs of Models, each with a source; the service has no other fields.
MODELS: list[JSONObject] = [
    {"source": "s3://b/k.gguf", "sourceSecretRef": {}},
    _gpu(count=1, resourceName="kubernetes.io/gpu"),
    _gpu(count=1, resourceName="a.kubernetes.io/gpu"),
    _gpu(count=1, resourceName="x/y"),
    _gpu(count=1, resourceName="requests.nvidia.com/gpu"),
    _gpu(count=1, resourceName="a..b/gpu"),
    _gpu(count=2, tolerationKey="a/" + "b" * 64),
    _gpu(count=1, resourceClaims=[{"name": "g", "resourceClaimName": "c"}]),
    _gpu(resourceClaims=[{"name": "", "resourceClaimName": "c"}, {"name": "g", "resourceClaimTemplateName": "Bad_"}]),
    _gpu(resourceClaims=[{"name": "g", "resourceClaimName": "c"}, {"name": "g", "resourceClaimName": "c"}]),
    _gpu(resourceClaims=[{"name": "G", "resourceClaimTemplateName": ""}]),
]
