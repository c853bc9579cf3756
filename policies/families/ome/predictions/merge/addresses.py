"""The address of a component, which OME's controller computes before it creates the component's objects.

Annotations and settings give the domain and Go's template of the address. A template is known here as far as it names fields, without
functions and control structures.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/ingress/services/domain_service.go and utils/annotations.go;
k8s.io/apimachinery v0.33, pkg/util/validation (IsFullyQualifiedDomainName).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain

_DOMAIN: Final = "example.com"
_TEMPLATE: Final = "{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}"
_FIELD: Final = expression(r"\s*\.([A-Za-z]\w*)\s*")
#: Fields of a template whose values are maps.
_MAPS: Final = ("Annotations", "Labels")


def address_trouble(name: str, namespace: str, annotations: Mapping[str, str], ingress: JSONObject | None) -> str:
    """Why a component with this name gets no address; empty if it gets one, or if that isn't known."""
    domain = annotations.get(f"{PREFIX}ingress-domain") or text(ingress, "ingressDomain") or _DOMAIN
    template = annotations.get(f"{PREFIX}ingress-domain-template") or text(ingress, "domainTemplate") or _TEMPLATE
    address, *rest = template.split("{{")
    for piece in rest:
        action, closed, after = piece.partition("}}")
        field = _FIELD.fullmatch(action)
        if not closed:
            return f"the template of addresses {template!r} isn't closed"
        if field is None or field[1] in _MAPS:
            return ""
        values = {"Name": name, "Namespace": namespace, "IngressDomain": domain}
        if field[1] not in values:
            return f"the template of addresses {template!r} names .{field[1]}, which OME doesn't know"
        address += values[field[1]] + after
    return "" if _is_domain(address) else f"the address {address!r} isn't a domain name of two or more parts"


def _is_domain(address: str) -> bool:
    labels = address.removesuffix(".").split(".")
    return not dns1123_subdomain(".".join(labels)) and len(labels) > 1 and not any(map(dns1123_label, labels))
