"""The resource with which a service template requests its GPUs.

The CRD defaults the resource to `amd.com/gpu`, whatever the model is. If the author named no resource, Weighbridge uses the configuration's
`aim.resourceNames` for the vendor of the model. Without it an NVIDIA model in aim.silogen.ai gets `nvidia.com/gpu` if nodes have it;
aim.eai.amd.com only knows AMD's GPUs. The hardware of a template is immutable, so Weighbridge fills in the resource at the creation. An
update without the name keeps the filled-in value, although it comes with the CRD's default again: applied on either side, replaced or
edited. In a plain creation the default looks like a written value; Weighbridge also replaces it for an NVIDIA model, whose template would
be refused with it.

Source: aim-engine v0.2.1, api/v1alpha1 (hardware is immutable) and internal/utils/resources.go; kaiwo dbca1b55,
internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.settings import Aim
from weighbridge.policies.families.aim.subject.gpus import NVIDIA_MODEL, NVIDIA_RESOURCE, RESOURCE, device_ids, normalised
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import Derive, settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.request import Request

_STORED = "the hardware of a template never changes, and this was filled in when it was created"


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a service template."""
    dialect = dialect_of(request.gvk.group)
    path: Path = ("spec", *dialect.hardware, "resourceName")
    if not isinstance(lookup(mutation.object, path[:-1]), dict):
        return

    def derive(template: JSONObject) -> Filling | None:
        return _resource(template, dialect, facts, config)

    if isinstance(request.old_object, dict):
        _keep(mutation, request.old_object, path, derive)
        return
    settle_value(
        mutation,
        path,
        derive,
        unset=RESOURCE,
        is_unset_refused=_vendor_of(mutation.object, dialect) == "nvidia",
        no_longer="the value that was filled in before no longer fits the GPU",
    )


def _keep(mutation: Mutation, stored: JSONObject, path: Path, derive: Derive) -> None:
    """Put back the value that was filled in at the creation, if the field is open again.

    In a PUT the CRD's default looks like a written value, but it can't win: the CRD refuses any other name than the stored one.
    """
    held, authorship = lookup(stored, path), mutation.authorship
    if not isinstance(held, str) or lookup(mutation.object, path) not in (None, RESOURCE) or authorship.is_applied(path):
        return
    filled = Authorship.of_object(stored).is_filled(stored, path) or not authorship.is_written(path)
    if filled or ((filling := derive(mutation.object)) is not None and filling.value == held):
        mutation.replace(path, held, source="cluster", reason=_STORED)


def _resource(template: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Filling | None:
    """What to fill in if the name is left open; `None` if the CRD's default is right or nothing may be filled in."""
    vendor = _vendor_of(template, dialect)
    names = config.settings_of(Aim).resource_names
    configured = {"amd": names.amd, "nvidia": names.nvidia}.get(vendor)
    if configured:
        found = Filling(configured, "configuration", f"aim.resourceNames.{vendor}")
    elif vendor == "nvidia" and facts.inventory is not None and (nodes := facts.inventory.nodes_with(NVIDIA_RESOURCE)):
        found = Filling(NVIDIA_RESOURCE, "cluster", f"served by {len(nodes)} node(s), and the model is one of NVIDIA's")
    else:
        return None
    return found if found.value != RESOURCE and config.fills_in_resource(str(found.value)) else None


def _vendor_of(template: JSONObject, dialect: Dialect) -> str:
    """The vendor of a template's model; empty if it isn't known."""
    model = normalised(text(lookup(spec_of(template), dialect.hardware), "model"), dialect)
    if device_ids(model) or (not model and not dialect.knows_nvidia):
        return "amd"
    return "nvidia" if dialect.knows_nvidia and NVIDIA_MODEL.fullmatch(model) else ""
