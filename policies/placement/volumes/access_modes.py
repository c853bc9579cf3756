"""The access modes that drivers refuse for new volumes, and the drivers that make volumes on the pod's node or in one zone.

A claim with such a mode never gets a volume: the driver refuses it again and again, and the pods wait. The scheduler doesn't check that.
The modes are data with their sources; a driver that isn't listed refuses nothing, as far as is known. Modes of mounted file systems and of
raw block devices differ. `kubernetes.io/...` are in-tree names that Kubernetes hands to the CSI driver.

| driver | source |
|---|---|
| AWS EBS | kubernetes-sigs/aws-ebs-csi-driver 429e202 (`pkg/driver/controller.go`, `isValidCapability`) |
| GCE PD | kubernetes-sigs/gcp-compute-persistent-disk-csi-driver b560165 (`pkg/gce-pd-csi-driver/utils.go`, `validateVolumeCapability`) |
| Azure Disk | kubernetes-sigs/azuredisk-csi-driver d983d61 (`pkg/azureutils/azure_disk_utils.go`, `IsValidVolumeCapabilities`) |
| local-path | rancher/local-path-provisioner 9fa2a62 (`provisioner.go`, `provisionFor`), without `sharedFileSystemPath` |
| OpenEBS local | openebs/dynamic-localpv-provisioner 4.0.0 (`cmd/provisioner-localpv/app/provisioner.go`) |
| TopoLVM | topolvm/topolvm 17.1 (`internal/driver/controller.go`) |
| DigitalOcean | digitalocean/csi-digitalocean v4.14 (`driver/controller.go`, `supportedAccessMode`) |
| Hetzner | hetznercloud/csi-driver v2.22 (`internal/driver/helper.go`, `isCapabilitySupported`) |
| Linode | linode/linode-blockstorage-csi-driver def6be4 (`internal/driver/capabilities.go`) |
| Ceph RBD | ceph/ceph-csi 52fcb7b (`internal/rbd/controllerserver.go`, `validateVolumeReq`) |
| OCI | oracle/oci-cloud-controller-manager v1.35 (`pkg/csi/driver/bv_controller.go`, `supportedVolumeCapabilities`) |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_RWX, _ROX = "ReadWriteMany", "ReadOnlyMany"
_BOTH: Final = frozenset({_RWX, _ROX})
_WRITERS: Final = frozenset({_RWX})
_READERS: Final = frozenset({_ROX})
_NONE: Final[frozenset[str]] = frozenset()
#: The modes that each driver refuses for mounted file systems, and for raw block devices.
_REFUSED: Final = {
    "ebs.csi.aws.com": (_BOTH, _READERS),
    "kubernetes.io/aws-ebs": (_BOTH, _READERS),
    "pd.csi.storage.gke.io": (_WRITERS, _NONE),
    "kubernetes.io/gce-pd": (_WRITERS, _NONE),
    "disk.csi.azure.com": (_BOTH, _NONE),
    "kubernetes.io/azure-disk": (_BOTH, _NONE),
    "rancher.io/local-path": (_BOTH, _BOTH),
    "openebs.io/local": (_BOTH, _BOTH),
    "topolvm.io": (_BOTH, _BOTH),
    "topolvm.cybozu.com": (_BOTH, _BOTH),
    "dobs.csi.digitalocean.com": (_BOTH, _BOTH),
    "csi.hetzner.cloud": (_BOTH, _BOTH),
    "linodebs.csi.linode.com": (_BOTH, _BOTH),
    "rbd.csi.ceph.com": (_WRITERS, _NONE),
    "blockvolume.csi.oraclecloud.com": (_BOTH, _READERS),
}
#: In the names of Rook and others the cluster's namespace precedes the driver's name.
_PREFIXED: Final = (".rbd.csi.ceph.com",)
#: Drivers whose volumes are on the node of the first pod that uses them.
LOCAL: Final = frozenset({"rancher.io/local-path", "openebs.io/local", "topolvm.io", "topolvm.cybozu.com"})
#: Drivers whose volumes are in one zone, unless the class says otherwise.
ZONAL: Final = frozenset(
    {
        *("ebs.csi.aws.com", "kubernetes.io/aws-ebs", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd"),
        *("disk.csi.azure.com", "kubernetes.io/azure-disk", "blockvolume.csi.oraclecloud.com"),
    }
)
_SHARED_ELSEWHERE: Final = {"rancher.io/local-path": "unless its configuration has sharedFileSystemPath"}


def refused_mode(provisioner: str, modes: Iterable[str], volume_mode: str) -> str:
    """The first of a claim's access modes that a class's provisioner refuses; empty if it refuses none, as far as is known."""
    name = next((start[1:] for start in _PREFIXED if provisioner.endswith(start)), provisioner)
    mounted, raw = _REFUSED.get(name, (_NONE, _NONE))
    return next((mode for mode in modes if mode in (raw if volume_mode == "Block" else mounted)), "")


def exception_of(provisioner: str) -> str:
    """The condition under which a provisioner accepts a mode that it usually refuses, as a text."""
    return _SHARED_ELSEWHERE.get(provisioner, "")
