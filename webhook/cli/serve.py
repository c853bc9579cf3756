"""`weighbridge serve`: the webhook server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from weighbridge.webhook.cli.options import cluster_option, config_option, context_option, crds_option, kubeconfig_option
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.errors import InputError

if TYPE_CHECKING:
    from weighbridge.webhook.server.certificates import ServingCertificate
    from weighbridge.webhook.server.process import Companion
    from weighbridge.webhook.server.publisher import Publisher
    from weighbridge.webhook.server.service import Service

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _settings_options(function: _Command) -> _Command:
    """One option per setting, with its default and its description."""
    for name, setting in reversed(ServerSettings.model_fields.items()):
        option = click.option(
            f"--{name.replace('_', '-')}",
            default=str(setting.default) if isinstance(setting.default, StrEnum) else setting.default,
            show_default=setting.default is not None,
            type=_type_of(setting),
            help=f"{(setting.description or '')[:1].upper()}{(setting.description or '')[1:]}.",
        )
        function = option(function)
    return function


def _type_of(setting: FieldInfo) -> click.ParamType[Any] | type:
    annotation = setting.annotation
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return click.Choice([str(member) for member in annotation])
    if annotation in {Path, Path | None}:
        return click.Path(path_type=Path)
    return annotation if annotation in {int, float} and isinstance(annotation, type) else str


@click.command("serve")
@click.option(
    "--self-signed",
    "names",
    multiple=True,
    metavar="NAME_OR_IP",
    help="Make a CA and a certificate for this name in --cert-dir if there is none, and renew it if it is due at the start. Repeatable.",
)
@click.option(
    "--serving-name",
    "serving_names",
    multiple=True,
    metavar="NAME_OR_IP",
    help="A name that the API server calls, usually SERVICE.NAMESPACE.svc; the certificate must be valid for it. Repeatable.  "
    "[default: --self-signed; with --live the names in the webhook configurations]",
)
@click.option(
    "--cert-secret",
    metavar="NAMESPACE/NAME",
    help="Keep the CA and the certificate for --serving-name in this Secret, which all replicas share, renew them there when they are due,"
    " and serve them from --cert-dir. Needs --live.",
)
@click.option("--register", is_flag=True, help="Write the caBundle into the webhook configurations called weighbridge. Needs --live.")
@click.option("--live", is_flag=True, help="Follow a live cluster, its own or that of the kubeconfig, instead of reading --cluster.")
@click.option(
    "--watch-pods",
    is_flag=True,
    help="Also follow the pods, so that verdicts say which pods find room today. Needs --live, and permission to list and watch all pods.",
)
@kubeconfig_option
@context_option
@config_option
@cluster_option
@crds_option
@_settings_options
def command(
    names: tuple[str, ...],
    serving_names: tuple[str, ...],
    cert_secret: str | None,
    register: bool,
    live: bool,
    watch_pods: bool,
    kubeconfig: str | None,
    context: str | None,
    config: str | None,
    cluster: tuple[str, ...],
    crds: tuple[str, ...],
    **settings: Any,
) -> int:
    """Answer admission reviews over TLS until SIGTERM or SIGINT. A second signal ends the drain at once."""
    from weighbridge.webhook.texts.logs import configure

    if live and cluster:
        raise click.UsageError("give --live or --cluster, one of the two")
    if (kubeconfig or context) and not live:
        raise click.UsageError("--kubeconfig and --context need --live")
    if watch_pods and not live:
        raise click.UsageError("--watch-pods needs --live; for --cluster take the snapshot with --pods")
    _check_sharing(cert_secret, names, serving_names, live=live, register=register)
    checked = _settings(settings)
    configure(checked.log_level)
    companions: list[Companion] = []
    if cert_secret:
        companions.append(_sharing(checked, cert_secret, serving_names, kubeconfig, context))
    service, publisher = _service(checked, config, cluster, crds)
    certificate = _certificate(service, names, serving_names or names)
    seconds = checked.reload_seconds
    companions += [lambda: certificate.watch(seconds), lambda: publisher.watch(seconds), _telling_losses(service)]
    if register:
        companions.append(_registering(service, kubeconfig, context))
    if live:
        companions += _following(service, publisher, kubeconfig, context, with_pods=watch_pods)
        if not (serving_names or names):
            companions.append(_following_names(certificate, kubeconfig, context))
    return _run(service, certificate, companions)


def _check_sharing(secret: str | None, names: Sequence[str], serving_names: Sequence[str], *, live: bool, register: bool) -> None:
    if (secret or register) and not live:
        raise click.UsageError("--cert-secret and --register need --live")
    if secret is None:
        return
    namespace, _, name = secret.partition("/")
    if not namespace or not name or "/" in name:
        raise click.UsageError(f"--cert-secret {secret}: give NAMESPACE/NAME")
    if names:
        raise click.UsageError("give --cert-secret or --self-signed, one of the two")
    if not serving_names:
        raise click.UsageError("--cert-secret needs --serving-name, for which the certificate is made")


def _sharing(settings: ServerSettings, secret: str, names: Sequence[str], kubeconfig: str | None, context: str | None) -> Companion:
    """Fill the directory of certificates from the Secret, and keep it up to date."""
    from weighbridge.webhook.server.certificate_secret import SharedCertificates

    shared = SharedCertificates(settings.cert_dir, secret, names, kubeconfig, context)
    shared.begin()
    return shared.watch


def _registering(service: Service, kubeconfig: str | None, context: str | None) -> Companion:
    from weighbridge.webhook.server.ca_bundle import keep_registered

    return lambda: keep_registered(service, service.settings.cert_dir, kubeconfig, context)


def _following(service: Service, publisher: Publisher, kubeconfig: str | None, context: str | None, *, with_pods: bool) -> list[Companion]:
    from weighbridge.webhook.server.config_maps import await_config_maps, follow_config_maps
    from weighbridge.webhook.server.live_cluster import check_reachable, follow

    check_reachable(kubeconfig, context)
    service.readiness.hold("cluster", "not read yet")
    await_config_maps(service)
    return [
        lambda: follow(service, kubeconfig, context, with_pods=with_pods),
        lambda: follow_config_maps(service, publisher, kubeconfig, context),
    ]


def _telling_losses(service: Service) -> Companion:
    from weighbridge.webhook.server.crd_losses import CRDLosses

    return lambda: CRDLosses(service).watch(service.settings.reload_seconds)


def _following_names(certificate: ServingCertificate, kubeconfig: str | None, context: str | None) -> Companion:
    from weighbridge.webhook.server.registered_names import follow_registered_names

    return lambda: follow_registered_names(certificate, kubeconfig, context)


def _settings(settings: dict[str, Any]) -> ServerSettings:
    try:
        return ServerSettings(**settings)
    except ValidationError as error:
        first = error.errors()[0]
        option = f"--{first['loc'][0]}".replace("_", "-")
        raise InputError(f"{option} {first['input']}: {_instead(first)}") from error


def _instead(mistake: Mapping[str, Any]) -> str:
    """What is allowed instead of a setting's value; for a mistake that Weighbridge finds itself, its message."""
    limits = {name: f"{limit:g}" for name, limit in mistake.get("ctx", {}).items() if isinstance(limit, (int, float))}
    words = {
        "less_than_equal": f"write {limits.get('le')} or less",
        "greater_than_equal": f"write {limits.get('ge')} or more",
        "greater_than": f"write more than {limits.get('gt')}",
        "finite_number": "write a number that is finite",
    }
    return words.get(mistake["type"]) or f"{mistake['msg'][:1].lower()}{mistake['msg'][1:]}"


def _service(settings: ServerSettings, config: str | None, cluster: Sequence[str], crds: Sequence[str]) -> tuple[Service, Publisher]:
    """The service, and the task that keeps its configuration current."""
    from weighbridge.policies.config import DEFAULT
    from weighbridge.policies.facts.shared_parts import with_shared_schemas
    from weighbridge.webhook.configuration.file import ConfigurationFile
    from weighbridge.webhook.inputs.cluster_files import read_cluster
    from weighbridge.webhook.inputs.facts import bundled_definitions, facts_of
    from weighbridge.webhook.server.publisher import Publisher
    from weighbridge.webhook.server.service import Service
    from weighbridge.webhook.server.tracing import tracing_of

    file = None if config is None else ConfigurationFile(config, crds=bundled_definitions)
    read = None if file is None else file.read()
    base = DEFAULT if read is None else read.config
    objects, extent = read_cluster(cluster)
    facts = facts_of(list(with_shared_schemas(objects)), extent, crds, config=base, source=cluster)
    service = Service(settings, facts, base, tracing=tracing_of())
    if read is not None:
        service.metrics.configuration.loaded(read.digest)
    return service, Publisher(service, base, file, service.facts.objects.list("", "ConfigMap"))


def _certificate(service: Service, names: Sequence[str], expected: Sequence[str]) -> ServingCertificate:
    """The certificate, created for `names` if there are any; clients use the `expected` names."""
    from weighbridge.certs.errors import CertificateError
    from weighbridge.certs.serving_certificate import alternative_names
    from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date, has_files

    directory = service.settings.cert_dir
    if not names and not has_files(directory):
        raise InputError(f"{directory}: no tls.crt and tls.key in there; --self-signed NAME_OR_IP makes them")
    try:
        if names:
            bring_self_signed_up_to_date(directory, names, datetime.now(UTC))
        if expected:
            alternative_names(expected)
        return ServingCertificate(directory, service.metrics, service.settings.client_ca, names=expected, readiness=service.readiness)
    except CertificateError as error:
        raise InputError(str(error)) from error


def _run(service: Service, certificate: ServingCertificate, companions: list[Companion]) -> int:
    from weighbridge.webhook.server.process import Listeners, run
    from weighbridge.webhook.server.sockets import ListenError

    try:
        listeners = Listeners.bind(service.settings)
    except ListenError as error:
        raise InputError(str(error)) from error
    try:
        return run(service, listeners, certificate.context, companions)
    finally:
        service.tracing.close()
