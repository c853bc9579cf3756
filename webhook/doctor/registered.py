"""Checks the webhook configurations (presence, version, caBundle), and looks for other webhooks on the same kinds."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from datetime import datetime

from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import is_valid_at, read_certificates
from weighbridge.policies.families import families
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cluster.registration import FailurePolicy, Registration, ServiceEndpoint
from weighbridge.webhook.doctor.check import Check, ok, problem
from weighbridge.webhook.doctor.installed import Installed


@dataclass(frozen=True, slots=True)
class Registered:
    """The webhook configurations of a cluster; `name` is ours."""

    name: str
    mutating: Sequence[JSONObject]
    validating: Sequence[JSONObject]

    @property
    def own(self) -> dict[str, JSONObject]:
        """Our two configurations, if they exist, by their kind."""
        pairs = (("MutatingWebhookConfiguration", self.mutating), ("ValidatingWebhookConfiguration", self.validating))
        return {kind: obj for kind, found in pairs for obj in found if name_of(obj) == self.name}

    @property
    def service(self) -> tuple[str, str] | None:
        """Namespace and name of the Service that is called, or `None`."""
        for configuration in self.own.values():
            for webhook in items(configuration, "webhooks"):
                service = part(webhook, "clientConfig", "service")
                if service:
                    return text(service, "namespace"), text(service, "name")
        return None

    @property
    def url(self) -> str:
        """The first URL that is called; empty if a Service is called."""
        webhooks = (webhook for configuration in self.own.values() for webhook in items(configuration, "webhooks"))
        return next((url for webhook in webhooks if (url := text(part(webhook, "clientConfig"), "url"))), "")

    @property
    def excluded_namespaces(self) -> set[str]:
        """The kinds whose objects aren't sent to the validating webhooks."""
        webhooks = items(self.own.get("ValidatingWebhookConfiguration", {}), "webhooks")
        expressions = [each for webhook in webhooks for each in items(webhook, "namespaceSelector", "matchExpressions")]
        return {name for each in expressions if text(each, "operator") == "NotIn" for name in texts(each, "values")}


def registration_checks(registered: Registered, installed: Installed, now: datetime) -> Iterator[Check]:
    """The checks of the configurations themselves."""
    expected = Registration(ServiceEndpoint("weighbridge", installed.namespace))
    known = list(families())
    for wanted in (expected.mutating(known), expected.validating(known)):
        kind, found = wanted["kind"], registered.own.get(wanted["kind"])
        if found is None:
            yield problem(kind, f"the cluster has none of the name {registered.name}, so the API server calls nothing", installed.apply)
            continue
        yield _compared(kind, _by_name(wanted), _by_name(found), registered.name, installed)
        yield from _bundles(kind, found, installed, now)
    yield from _rivals(registered)


def _by_name(configuration: JSONObject) -> dict[str, JSONObject]:
    return {text(webhook, "name"): webhook for webhook in items(configuration, "webhooks")}


def _compared(kind: str, ours: dict[str, JSONObject], theirs: dict[str, JSONObject], name: str, installed: Installed) -> Check:
    """Compares the registered rules and failurePolicy with what this version expects."""
    if missing := sorted(ours.keys() - theirs.keys()):
        return problem(kind, f"it lacks {', '.join(missing)}, which this version has", installed.apply)
    if extra := sorted(theirs.keys() - ours.keys()):
        return problem(kind, f"it has {', '.join(extra)}, which this version lacks", installed.replace(kind, name))
    other = sorted(each for each, webhook in ours.items() if _rules(theirs[each]) != _rules(webhook))
    if other:
        return problem(kind, f"{', '.join(other)} names other kinds than this version judges", installed.apply)
    changed = [f"{each} ({', '.join(fields)})" for each, webhook in sorted(ours.items()) if (fields := [*_changes(theirs[each], webhook)])]
    if changed:
        return problem(kind, f"it differs from what this version installs: {', '.join(changed)}", installed.replace(kind, name))
    closed = sorted(each for each in ours if text(theirs[each], "failurePolicy") == "Fail")
    may_be_closed = sorted(each for each, webhook in ours.items() if webhook["failurePolicy"] == FailurePolicy.FAIL)
    if wrong := sorted(set(closed) - set(may_be_closed)):
        return problem(kind, f"{', '.join(wrong)} must have failurePolicy Ignore, or an outage holds up every call", installed.apply)
    if closed and (open_ones := sorted(set(may_be_closed) - set(closed))):
        told = f"failurePolicy is Fail for {', '.join(closed)} and Ignore for {', '.join(open_ones)}; one must hold for all"
        return problem(kind, told, installed.apply)
    told = f"{len(ours)} webhooks of this version"
    if may_be_closed and closed:
        told += "; in an outage nothing is stored unjudged (failurePolicy Fail)"
    elif may_be_closed:
        told += "; in an outage objects pass unjudged (failurePolicy Ignore)"
    return ok(kind, told)


def _changes(theirs: JSONObject, ours: JSONObject) -> Iterator[str]:
    """The changed fields that make the API server call for other objects or at another address; namespaces can be excluded freely."""
    client = part(theirs, "clientConfig")
    path = text(part(client, "service"), "path") or text(client, "url")
    if not path.endswith(text(part(ours, "clientConfig", "service"), "path")):
        yield "clientConfig"
    if _conditions(theirs) != _conditions(ours):
        yield "matchConditions"
    if text(theirs, "matchPolicy") not in {"", text(ours, "matchPolicy")}:
        yield "matchPolicy"
    selector = part(theirs, "namespaceSelector")
    if part(selector, "matchLabels") or any(text(each, "operator") != "NotIn" for each in items(selector, "matchExpressions")):
        yield "namespaceSelector"
    selector = part(theirs, "objectSelector")
    if part(selector, "matchLabels") or items(selector, "matchExpressions"):
        yield "objectSelector"


def _conditions(webhook: JSONObject) -> set[tuple[str, str]]:
    return {(text(condition, "name"), text(condition, "expression")) for condition in items(webhook, "matchConditions")}


def _rules(webhook: JSONObject) -> set[tuple[str, ...]]:
    return {
        (group, version, operation, resource)
        for rule in items(webhook, "rules")
        for group in texts(rule, "apiGroups")
        for version in texts(rule, "apiVersions")
        for operation in texts(rule, "operations")
        for resource in texts(rule, "resources")
    }


def _bundles(kind: str, configuration: JSONObject, installed: Installed, now: datetime) -> Iterator[Check]:
    name, register = f"caBundle of {kind}", installed.restart
    bundles = {text(part(webhook, "clientConfig"), "caBundle") for webhook in items(configuration, "webhooks")}
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
    kinds = {(kind.gvk.group, kind.plural) for family in families() for kind in family.kinds}
    rivals = [
        f"{name_of(configuration)}/{text(webhook, 'name')}"
        for configuration in registered.mutating
        if name_of(configuration) != registered.name
        for webhook in items(configuration, "webhooks")
        if any(_names_one(rule, kinds) for rule in items(webhook, "rules"))
    ]
    if rivals:
        told = f"{', '.join(rivals)} may change the same objects; what Weighbridge fills in is reported by dry-run"
        yield ok("other webhooks", told)
    else:
        yield ok("other webhooks", "none changes the kinds that Weighbridge fills in")


def _names_one(rule: JSONObject, kinds: set[tuple[str, str]]) -> bool:
    """Whether the rule matches any of the kinds."""
    groups, resources = texts(rule, "apiGroups"), texts(rule, "resources")
    return any({group, "*"} & set(groups) and {plural, "*", "*/*"} & set(resources) for group, plural in kinds)
