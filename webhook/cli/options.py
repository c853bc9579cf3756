"""Options that several commands share."""

from __future__ import annotations

import click

from weighbridge.policies.ground.server_release import RELEASES, USUAL, nearest
from weighbridge.webhook.cli.fail_on import FailOn
from weighbridge.webhook.texts.streams import as_text


def utf_8(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """Takes an argument that is written to the output, which must be text."""
    if given is not None and as_text(given) != given:
        raise click.BadParameter(f"{as_text(given)}: not UTF-8")
    return given


def a_namespace(ctx: click.Context, param: click.Parameter, given: str) -> str:
    """Takes the name of a namespace; where the default is none, none may be given."""
    from weighbridge.policies.schema.names import dns1123_label

    problems = dns1123_label(utf_8(ctx, param, given) or "") if given != param.default else []
    if problems:
        raise click.BadParameter(f'"{given}" is no name of a namespace: {problems[0]}')
    return given


def a_version(_ctx: click.Context, _param: click.Parameter, given: str) -> str:
    """Takes a version of Kubernetes, such as 1.35 or v1.35.4."""
    if given and nearest(given) is None:
        raise click.BadParameter(f"{as_text(given)} is no version of Kubernetes; give one such as {USUAL.name}")
    return given


def versions(ctx: click.Context, param: click.Parameter, given: str) -> tuple[str, ...]:
    """Takes one version of Kubernetes or several, with commas between them."""
    return tuple(a_version(ctx, param, version.strip()) for version in given.split(","))


fail_on_option = click.option(
    "--fail-on",
    type=click.Choice([str(level) for level in FailOn]),
    default=str(FailOn.PLACEMENT),
    show_default=True,
    help="What makes the exit code 1. error: what is refused; placement: also what no node of --cluster can ever run, and what has pods"
    " that the API server refuses; warning, note: also what is only warned of or noted.",
)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show notes, excepted findings and every detail, too.")
crds_option = click.option("--crds", multiple=True, metavar="PATH", help="CRDs to use instead of the bundled ones of the same kinds.")
cluster_option = click.option(
    "--cluster", multiple=True, metavar="SNAPSHOT", help="A snapshot of the cluster: nodes, objects, CRDs (YAML or JSON)."
)
kubernetes_option = click.option(
    "--kubernetes-version",
    "kubernetes",
    default="",
    metavar="VERSION",
    callback=a_version,
    help=f"The Kubernetes to judge by: {', '.join(known.name for known in RELEASES)}; by default that of the snapshot, else {USUAL.name}.",
)
release_option = click.option(
    "--release",
    multiple=True,
    metavar="SYSTEM=VERSION",
    help="The release of a system to judge by, such as llmkube=0.9.19, whatever CRDs it has; of several, findings say which have them.",
)
config_option = click.option("--config", metavar="FILE", help="The configuration (kind: Configuration).")
colour_option = click.option(
    "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="auto: on a terminal only."
)
kubeconfig_option = click.option(
    "--kubeconfig",
    metavar="FILE",
    help="The kubeconfig to use; by default the Pod's service account, else KUBECONFIG, else ~/.kube/config.",
)
context_option = click.option("--context", metavar="NAME", help="The context to use, instead of the current one of the kubeconfig.")
