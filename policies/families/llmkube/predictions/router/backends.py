"""Where a ModelRouter's proxy finds its backends, and what the operator says of those that it can't resolve.

A service is reached through its Service. An external provider is reached at its `url`, else at the published address of the provider, or
for LiteLLM at the address in the operator's flags. A gateway gets only the provider's `url`.
Source: LLMKube v0.9.19, internal/controller/router_config_builder.go and modelrouter_gateway_controller.go.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.router.pools import pool_of
from weighbridge.policies.families.llmkube.predictions.service.address import service_name, service_port
from weighbridge.policies.families.llmkube.subject.referenced_services import service_applied
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace

#: Addresses of providers that publish one.
PUBLISHED: Final = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com"}
#: The key of a credentials Secret, which is also the environment variable that the proxy reads.
CREDENTIALS_KEY: Final = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "litellm": "LITELLM_MASTER_KEY",
    "bedrock": "AWS_ACCESS_KEY_ID",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS",
}
_SCHEME: Final = expression(r"[A-Za-z][A-Za-z0-9+.-]*:", re.ASCII)
#: The text after the host, which is a name or an address in brackets.
_PORT: Final = expression(r":([^:\]]*)$")
#: Why it isn't known whether LiteLLM lacks an address.
_NO_FLAGS: Final = "the operator's flags aren't known, --default-litellm-url among them"


@dataclass(frozen=True, slots=True)
class Backend:
    """One backend as the operator resolves it; `message` says what is wrong, `unknown` what couldn't be looked up.

    `pool` is the ModelPool of its service, in the form of the proxy's configuration.
    """

    name: str
    tier: str
    address: str
    message: str = ""
    unknown: str = ""
    pool: JSONObject | None = None

    @property
    def is_healthy(self) -> bool:
        """Whether the operator counts it as resolved."""
        return bool(self.address) and not self.message


def backend(spec: JSONObject, namespace: str, facts: Facts, operator: KnownOperator, config: Configuration) -> Backend:
    """Resolve one backend of a router in `namespace`; an object that isn't known counts as existing."""
    name, tier = text(spec, "name"), text(spec, "tier")
    if spec.get("inferenceServiceRef") is not None:
        service = text(part(spec, "inferenceServiceRef"), "name")
        found = _service(name, tier or "local", service, namespace, facts, config)
        return replace(found, pool=pool_of(service, namespace, facts, operator))
    external = part(spec, "external")
    address = external_address(external, operator)
    if not address:
        # The operator's flags have no address for any other provider.
        unknown = _NO_FLAGS if text(external, "provider") == "litellm" and not operator.is_seen else ""
        return Backend(name, tier or "cloud", "", address_problem(external), unknown)
    message, unknown = credentials_problem(external, namespace, facts)
    return Backend(name, tier or "cloud", address, message, unknown)


def _service(name: str, tier: str, service: str, namespace: str, facts: Facts, config: Configuration) -> Backend:
    found = service_applied(facts, config, namespace, service)
    if found is None and SERVICES.is_missing(facts, namespace, service):
        return Backend(name, tier, "", f"InferenceService {quote(service)} not found in namespace {quote(namespace)}")
    port = service_port(spec_of(found))
    unknown = "" if found is not None else f"InferenceService {service} isn't known here; its port is taken to be {port}"
    return Backend(name, tier, f"http://{service_name(service)}.{namespace}.svc.cluster.local:{port}", unknown=unknown)


def external_address(external: JSONObject, operator: KnownOperator) -> str:
    """The address of an external provider; empty if there is none."""
    provider = text(external, "provider")
    if text(external, "url"):
        return text(external, "url")
    return operator.default_litellm_url if provider == "litellm" else PUBLISHED.get(provider, "")


def address_problem(external: JSONObject) -> str:
    """Why a provider without a `url` has no address, in the operator's words."""
    provider = text(external, "provider")
    if provider == "litellm":
        return "external backend with provider=litellm requires url (or operator-configured --default-litellm-url)"
    return f"external backend with provider={quote(provider)} requires url (no built-in default for this provider)"


def gateway_problem(spec: JSONObject, namespace: str, facts: Facts, operator: KnownOperator) -> str:
    """Why a gateway can't route to a backend, in the operator's words; empty if it can, or if that isn't known."""
    name = quote(text(spec, "name"))
    if spec.get("external") is not None and not operator.since(0, 9, 14):
        return f"backend {name} is External; external backends are not supported in dataPlane: Gateway yet"
    if spec.get("external") is not None:
        problem = gateway_address_problem(text(part(spec, "external"), "url"))
        return problem and f"backend {name}{problem}"
    service = text(part(spec, "inferenceServiceRef"), "name")
    if not SERVICES.is_missing(facts, namespace, service):
        return ""
    return f"backend {name} references InferenceService {quote(service)} which does not exist in namespace {quote(namespace)}"


def gateway_address_problem(url: str) -> str:
    """Why a gateway can't connect to an address, in the words that the operator puts after the backend's name; empty if it can."""
    url = url.strip()
    if not url:
        return " is External but has no url"
    if problem := _parse_problem(url):
        return f": parsing external url {quote(url)}: parse {quote(url)}: {problem}"
    try:
        split = urlsplit(url)
    except ValueError:
        return f": external url {quote(url)} has an invalid host or port"
    if not split.hostname:
        return f": external url {quote(url)} has no host; it must be absolute, e.g. http://host:8080/v1"
    port = _PORT.search(_without_user(split.netloc))
    if port is None or not port[1]:
        is_known = split.scheme in ("http", "https")
        return "" if is_known else f": external url {quote(url)} has no port and scheme {quote(split.scheme)} implies none"
    if not port[1].isdecimal():
        return f": external url {quote(url)} has an invalid host or port"
    if len(port[1]) > 10 or int(port[1]) > 2**31 - 1:
        cause = f"strconv.ParseInt: parsing {quote(port[1])}: value out of range"
        return f": external url {quote(url)} has an invalid port: {cause}"
    return "" if 0 < int(port[1]) < 65536 else f": external url {quote(url)} port {int(port[1])} out of range"


def gateway_host(url: str) -> str:
    """The host of an address as it is written; Go doesn't lower its letters."""
    host = _PORT.sub("", _without_user(urlsplit(url.strip()).netloc))
    return host.removeprefix("[").removesuffix("]")


def _without_user(netloc: str) -> str:
    """Host and port without the user's name and password before them."""
    return netloc.rpartition("@")[2]


def _parse_problem(url: str) -> str:
    """Go's reason why a text without a scheme isn't a URL."""
    if url.startswith(":"):
        return "missing protocol scheme"
    has_scheme = _SCHEME.match(url) is not None
    return "" if has_scheme or ":" not in url.partition("/")[0] else "first path segment in URL cannot contain colon"


def credentials_problem(external: JSONObject, namespace: str, facts: Facts) -> tuple[str, str]:
    """The operator's message on the credentials, and what isn't known: Secrets are never read from a cluster."""
    reference = external.get("credentialsSecretRef")
    if reference is None:
        return "", ""
    name, key = text(reference, "name"), CREDENTIALS_KEY.get(text(external, "provider"), "")
    secret = facts.objects.get("", "Secret", namespace, name)
    if isinstance(secret, dict):
        has_key = not key or key in part(secret, "data") or key in part(secret, "stringData")
        return ("" if has_key else f"credentials Secret {quote(name)} missing key {quote(key)}"), ""
    if facts.objects.knows_all("", "Secret"):
        return f"credentials Secret {quote(name)} not found", ""
    return "", f"Secret {name} isn't known here"
