"""The endpoint picker's port is a port of the model servers.

The picker serves Envoy's external processing protocol on its own port, which is 9002 in upstream's manifests. With the port of the
model servers the gateway connects to the wrong server, or to none. Write the picker's port.

Source: Gateway API Inference Extension v1.5.0, config/charts/inferencepool/values.yaml; upstream issue 1338.
"""

from weighbridge.policies.families.inference_extension.rulebook import Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.picker_service import picker_service
from weighbridge.policies.families.inference_extension.subject.pool import ASSUMED_PORT


@pools.warning(
    reads=("Service",),
    good="says-what-it-cannot-check-of-a-pool",
    bad="warns-of-the-port-of-the-model-servers-at-an-unknown-picker",
)
def check(pool: Pool, given: Given) -> Said:
    picker = pool.picker
    if picker is None or picker.port not in {number for _, number in pool.ports} or picker_service(pool, given.facts) is not None:
        # GIE-011 judges a picker whose Service is known.
        return
    yield Violation(
        picker.port_path,
        f"{picker.port} is a target port of the model servers; the picker has a port of its own, unless its Service maps it",
        found=str(picker.port),
        expected=str(ASSUMED_PORT),
        hint=f"write the port of the picker, {ASSUMED_PORT} unless it was changed",
    )
