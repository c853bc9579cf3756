"""A family is loaded when a request names one of its API groups, and no other family is loaded with it."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from tests.conftest import ROOT
from weighbridge.policies import families

#: The modules that a family consists of; the packages themselves only have the names of their groups.
_FAMILIES = {f"weighbridge.policies.families.{module.name}.family" for module in pkgutil.iter_modules(families.__path__) if module.ispkg}
_DECIDE = """
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

gvk = GroupVersionKind("inference.networking.x-k8s.io", "v1alpha2", "InferenceModel")
spec = {"modelName": "chat", "poolRef": {"name": "pool"}}
obj = {"apiVersion": f"{gvk.group}/{gvk.version}", "kind": gvk.kind, "metadata": {"name": "m", "namespace": "d"}, "spec": spec}
request = Request("r", Operation.CREATE, gvk, obj, namespace="d", name="m")
decision = weighbridge.policies.verdict.engine.decide(request, from_objects([], bundled_definitions()), DEFAULT)
assert decision.allowed and any(entry.path == ("spec", "poolRef", "kind") for entry in decision.provenance), decision
"""


def _families_after(script: str) -> set[str]:
    """The families that a process has loaded at its end."""
    script = f"import sys\nimport weighbridge.policies.verdict.engine\n{script}\nprint(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return _FAMILIES & set(found)


def test_importing_the_engine_loads_no_family() -> None:
    assert len(_FAMILIES) > 1
    assert _families_after("") == set()


def test_deciding_on_an_object_loads_its_family_alone() -> None:
    assert _families_after(_DECIDE) == {"weighbridge.policies.families.inference_extension.family"}
