"""The webhook configurations: there, of this version, with a caBundle that holds; and other webhooks on the same kinds."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from certs.errors import CertificateError
from certs.pair import is_valid_at, read_certificates
from policies.families import families
from policies.fields import items, part, text, texts
from policies.objects import JSONObject, name_of
from webhook.cluster.registration import FailurePolicy, Registration, ServiceEndpoint
from webhook.doctor.check import Check, ok, problem

APPLY = "kubectl apply -f deploy/install.yaml"


@dataclass(frozen=True, slots=True)
class Registered:
    """The webhook configurations of a cluster; `name` is ours."""

    name: str
    mutating: Sequence[JSONObject]
    validating: Sequence[JSONObject]

    @property
    def own(self) -> dict[str, JSONObject]:
        """Our two configurations, as far as they are there, by their kind."""
        pairs = (("MutatingWebhookConfiguration", self.mutating), ("ValidatingWebhookConfiguration", self.validating))
        return {kind: obj for kind, found in pairs for obj in found if name_of(obj) == self.name}

    @property
    def service(self) -> tuple[str, str] | None:
        """Namespace and name of the Service that is called; `None` where there is none."""
        for configuration in self.own.values():
            for webhook in items(configuration, "webhooks"):
                service = part(webhook, "clientConfig", "service")
                if service:
                    return text(service, "namespace"), text(service, "name")
        return None


def registration_checks(registered: Registered, now: datetime) -> Iterator[Check]:
    """What the configurations themselves tell."""
    expected = Registration(ServiceEndpoint("weighbridge", "weighbridge-system"))
    known = list(families())
    for wanted in (expected.mutating(known), expected.validating(known)):
        found = registered.own.get(wanted["kind"])
        if found is None:
            yield problem(wanted["kind"], f"the cluster has none of the name {registered.name}, so the API server calls nothing", APPLY)
            continue
        yield _version(wanted, found)
        yield from _bundles(wanted["kind"], found, now)
    yield from _rivals(registered)


def _version(wanted: JSONObject, found: JSONObject) -> Check:
    """Whether the API server is told to call for what this version judges."""
    theirs = {text(webhook, "name"): webhook for webhook in items(found, "webhooks")}
    ours = {text(webhook, "name"): webhook for webhook in items(wanted, "webhooks")}
    if missing := sorted(ours.keys() - theirs.keys()):
        return problem(wanted["kind"], f"it lacks {', '.join(missing)}, which this version has", APPLY)
    changed = sorted(name for name, webhook in ours.items() if _rules(theirs[name]) != _rules(webhook))
    if changed:
        return problem(wanted["kind"], f"{', '.join(changed)} names other kinds than this version judges", APPLY)
    policies = {text(theirs[name], "failurePolicy") for name in ours if ours[name]["failurePolicy"] == FailurePolicy.FAIL}
    if not policies:
        return ok(wanted["kind"], f"{len(ours)} webhooks of this version")
    if policies == {"Fail"}:
        return ok(wanted["kind"], f"{len(ours)} webhooks of this version; in an outage nothing is stored unjudged (failurePolicy Fail)")
    return ok(wanted["kind"], f"{len(ours)} webhooks of this version; in an outage objects pass unjudged (failurePolicy Ignore)")


def _rules(webhook: JSONObject) -> set[tuple[str, ...]]:
    return {
        (group, version, operation, resource)
        for rule in items(webhook, "rules")
        for group in texts(rule, "apiGroups")
        for version in texts(rule, "apiVersions")
        for operation in texts(rule, "operations")
        for resource in texts(rule, "resources")
    }


def _bundles(kind: str, configuration: JSONObject, now: datetime) -> Iterator[Check]:
    name = f"caBundle of {kind}"
    bundles = {text(part(webhook, "clientConfig"), "caBundle") for webhook in items(configuration, "webhooks")}
    register = "kubectl -n weighbridge-system rollout restart deployment/weighbridge"
    if bundles == {""}:
        yield problem(name, "it is empty, so the API server trusts no certificate of the webhook", register)
        return
    for bundle in sorted(bundles):
        try:
            certificates = read_certificates(b64decode(bundle), name)
        except (CertificateError, ValueError) as error:
            yield problem(name, f"it can't be read: {error}", register)
            continue
        valid = [certificate for certificate in certificates if is_valid_at(certificate, now)]
        if not valid:
            yield problem(name, "every certificate in it has expired or isn't valid yet", register)
        else:
            last = max(certificate.not_valid_after_utc for certificate in valid)
            yield ok(name, f"{len(valid)} valid of {len(certificates)}, the last one until {last:%Y-%m-%d}")
    if len(bundles) > 1:
        yield problem(name, "its webhooks have different bundles", register)


def _rivals(registered: Registered) -> Iterator[Check]:
    """Webhooks of others that change our kinds: both may set the same fields."""
    groups = {kind.gvk.group for family in families() for kind in family.kinds}
    rivals = [
        f"{name_of(configuration)}/{text(webhook, 'name')}"
        for configuration in registered.mutating
        if name_of(configuration) != registered.name
        for webhook in items(configuration, "webhooks")
        if any(groups & set(texts(rule, "apiGroups")) or "*" in texts(rule, "apiGroups") for rule in items(webhook, "rules"))
    ]
    if rivals:
        told = f"{', '.join(rivals)} may change the same objects; what Weighbridge fills in is reported by dry-run"
        yield ok("other webhooks", told)
    else:
        yield ok("other webhooks", "none changes the kinds that Weighbridge fills in")
