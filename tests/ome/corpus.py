"""Upstream's own manifests of OME, and the clusters on which they are judged.

Each cluster has the cluster-wide models and runtimes that upstream ships, since services name them; the nodes are those of the sweep. The
manifests stay in upstream's checkout, next to this repository's.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.conftest import SHARED
from tests.doors.cases import Case
from tests.yaml_documents import read, read_all
from weighbridge.policies.facts.document import kind_text
from weighbridge.policies.families.ome.family import FAMILY
from weighbridge.policies.ground.objects import JSONObject, metadata_of

SAMPLES: Final = SHARED / "corpus" / "ome" / "samples" / "config"
_NODES: Final = Path(__file__).parent.parent / "programs" / "sweep" / "clusters"
#: With GPUs, without any, and with a pool of GPUs that is scaled to zero.
CLUSTERS: Final = ("gpu", "cpu", "zero")


@cache
def documents() -> tuple[tuple[Path, JSONObject], ...]:
    """Every object of the family with its file; namespaced objects are in namespace `default`."""
    namespaced = {kind.gvk.kind: kind.namespaced for kind in FAMILY.kinds}
    found = []
    for path in sorted(SAMPLES.rglob("*.yaml")):
        for obj in read_all(path.read_text()):
            if isinstance(obj, dict) and str(obj["apiVersion"]).startswith("ome.io/"):
                metadata = metadata_of(obj) | ({"namespace": "default"} if namespaced[obj["kind"]] else {})
                found.append((path, {**obj, "metadata": metadata}))
    return tuple(found)


@cache
def snapshot(cluster: str) -> JSONObject:
    """A cluster with the models and runtimes that upstream ships."""
    nodes: Any = read((_NODES / f"{cluster}.yaml").read_text())
    own = [kind_text((kind.gvk.group, kind.gvk.kind)) for kind in FAMILY.kinds]
    shipped = [obj for _, obj in documents() if obj["kind"].startswith("Cluster")]
    return {**nodes, "complete": sorted({*nodes["complete"], *own}), "items": [*nodes["items"], *shipped]}


def case_of(path: Path, obj: JSONObject, cluster: str, validation: str = "Warn") -> Case:
    """A manifest as a case; unknown fields cause warnings unless `validation` refuses them."""
    return Case(path.parent, obj, None, [snapshot(cluster)], None, {"allowed": True, "fieldValidation": validation})
