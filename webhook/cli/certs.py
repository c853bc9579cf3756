"""`weighbridge certs`: makes and inspects certificates, and prints the webhook configurations that trust them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weighbridge.webhook.cli.options import utf_8
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.streams import complain

if TYPE_CHECKING:
    from weighbridge.certs.certificate_set import CertificateSet
    from weighbridge.certs.inspection import Description
    from weighbridge.webhook.cluster.registration import Endpoint

_directory = click.argument("directory", type=click.Path(path_type=Path))
_service = click.option(
    "--service", default="weighbridge", show_default=True, callback=utf_8, help="The Service that the API server calls."
)
_namespace = click.option(
    "-n", "--namespace", default="weighbridge-system", show_default=True, callback=utf_8, help="The Service's namespace."
)


@click.group("certs")
def command() -> None:
    """Make and inspect certificates; print the webhook configurations."""


@command.command("make", short_help="Make a CA and a serving certificate, or renew them.")
@_directory
@_service
@_namespace
@click.option(
    "--name", "names", multiple=True, metavar="NAME_OR_IP", help="A DNS name or an address in addition to the Service's. Repeatable."
)
@click.option("--days", type=click.IntRange(1, 825), default=365, show_default=True, help="How long the serving certificate is valid.")
def make(directory: Path, service: str, namespace: str, names: tuple[str, ...], days: int) -> int:
    """Make ca.crt, ca.key, tls.crt and tls.key in DIRECTORY, or renew those that are due. The others stay as they are."""
    from weighbridge.certs import files
    from weighbridge.certs.rotation import RotationPolicy, RotationStep, bring_up_to_date
    from weighbridge.certs.serving_certificate import service_names

    wanted = [*service_names(service, namespace), *names]
    now, policy = datetime.now(UTC), RotationPolicy(serving_validity=timedelta(days=days))

    def change(current: CertificateSet | None) -> tuple[CertificateSet, tuple[RotationStep, ...]]:
        return bring_up_to_date(current, wanted, now, policy)

    with _input_errors():
        certificates, steps = files.update(directory, change)
    for step in steps or ("nothing is due",):
        complain(f"{directory}: {step}")
    _show(_descriptions(certificates, now))
    return 0


@command.command("show", short_help="Show the certificates and their faults.")
@_directory
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(directory: Path, output: str) -> int:
    """Show the certificates in DIRECTORY and their faults. Exit code 1: there are faults."""
    import json

    from weighbridge.certs import files

    now = datetime.now(UTC)
    with _input_errors():
        certificates = files.read(directory)
    descriptions, faults = _descriptions(certificates, now), [str(fault) for fault in certificates.faults(now)]
    if output == "json":
        click.echo(json.dumps({"certificates": [entry.as_json() for entry in descriptions], "faults": faults}, indent=2))
    else:
        _show(descriptions)
        for fault in faults:
            click.echo(shown(f"wrong: {fault}"))
    return 1 if faults else 0


@command.command("webhooks", short_help="Print the webhook configurations.")
@_directory
@_service
@_namespace
@click.option("--port", type=click.IntRange(1, 65535), default=443, show_default=True, help="The Service's port.")
@click.option("--url", metavar="HTTPS_URL", callback=utf_8, help="The address of the webhook, instead of a Service.")
def webhooks(directory: Path, service: str, namespace: str, port: int, url: str | None) -> int:
    """Print the Mutating- and ValidatingWebhookConfiguration with the caBundle of DIRECTORY, ready for kubectl apply."""
    from weighbridge.certs import files
    from weighbridge.policies.families import families
    from weighbridge.webhook.cluster.registration import Registration, ServiceEndpoint, URLEndpoint
    from weighbridge.webhook.texts.yaml_text import yaml_text

    with _input_errors():
        certificates = files.read(directory)
    endpoint: Endpoint = URLEndpoint(url) if url is not None else ServiceEndpoint(service, namespace, port)
    registration = Registration(endpoint, certificates.as_data()["ca.crt"])
    try:
        for configuration in (registration.mutating(families()), registration.validating(families())):
            click.echo("---\n" + yaml_text(configuration), nl=False)
    except ValueError as error:
        raise InputError("\n".join(f"--{line}" for line in str(error).split("\n"))) from error
    return 0


def _descriptions(certificates: CertificateSet, now: datetime) -> list[Description]:
    from weighbridge.certs.inspection import describe

    authorities = [describe(authority, now, authorities=certificates.authorities) for authority in certificates.authorities]
    serving = certificates.serving
    return [*authorities, describe(serving.certificate, now, authorities=certificates.authorities, key=serving.key)]


def _show(descriptions: Sequence[Description]) -> None:
    for entry in descriptions:
        what = "authority" if entry.is_authority else "serving certificate"
        names = ", ".join([*entry.dns_names, *entry.ip_addresses])
        click.echo(shown(f"{what}: {entry.subject}, {entry.key_type}"))
        if names:
            click.echo(shown(f"  for      {names}"))
        click.echo(f"  valid    {entry.not_before:%Y-%m-%d} to {entry.not_after:%Y-%m-%d}, {entry.days_left} days left")
        click.echo(f"  sha256   {entry.sha256}")


@contextmanager
def _input_errors() -> Iterator[None]:
    """Turn errors of certificates into input errors."""
    from weighbridge.certs.errors import CertificateError

    try:
        yield
    except CertificateError as error:
        raise InputError(str(error)) from error
