"""The flags for the address and the port on which an engine listens.

Since v0.9.11 the port comes first. The address is the service's `bindAddress`, and is left out if the service's own arguments have one.
Before, the address came first and was always `::`, all addresses of IPv4 and IPv6.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.engines.plan import AS_WRITTEN, ContainerPlan
from weighbridge.policies.ground.fields import text

_EVERYWHERE = "::"


def listen(plan: ContainerPlan, *between: str, host: str = "--host") -> None:
    """Add port and address; `between` are switches that the operator puts right after the port."""
    if not plan.setup.operator.since(0, 9, 11):
        plan.fixed(host, _EVERYWHERE, reason="all addresses, IPv4 and IPv6")
        _port(plan, between)
        return
    _port(plan, between)
    if plan.setup.overrides(host):
        return
    address = text(plan.setup.spec, "bindAddress")
    if address:
        plan.flag(host, address, source=plan.setup.of_service("bindAddress"))
    else:
        plan.fixed(host, _EVERYWHERE, reason="all addresses, IPv4 and IPv6: no bindAddress is given")


def _port(plan: ContainerPlan, between: tuple[str, ...]) -> None:
    setup = plan.setup
    source = setup.of_service(setup.port_from) if setup.port_from else setup.operator.name
    plan.flag("--port", str(setup.port), source=source, reason=AS_WRITTEN if setup.port_from else "the engine's usual port")
    for flag in between:
        plan.fixed(flag, reason="given to every container of this engine")
