"""A component's canary gets less than 0 or more than 100 percent of the traffic.

`canaryTrafficPercent` is a share of the traffic, from 0 to 100. Neither OME's schema nor its webhook enforces that.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, services


@services.error(good="accepts-a-canary-of-ten-percent", bad="refuses-a-canary-above-all-of-the-traffic")
def check(service: Service) -> Said:
    for name, component in service.components():
        found = component.get("canaryTrafficPercent")
        if type(found) is int and not 0 <= found <= 100:
            message = f"{found} isn't a percentage of the traffic"
            yield Violation(("spec", name, "canaryTrafficPercent"), message, found=str(found), expected="0 to 100")
