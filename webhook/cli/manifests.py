"""`weighbridge manifests`: what is installed in a cluster."""

from __future__ import annotations

from pathlib import Path

import click

from weighbridge.webhook.cli.written import write_files


@click.command("manifests")
@click.option(
    "--mode",
    type=click.Choice(["audit", "deny"]),
    default="audit",
    show_default=True,
    help="audit warns and counts, and refuses nothing; deny refuses.",
)
@click.option(
    "--write", type=click.Path(file_okay=False, path_type=Path), help="Write them below this folder instead, with the chart and the bases."
)
def command(mode: str, write: Path | None) -> int:
    """Print the manifests that install Weighbridge, ready for kubectl apply."""
    from weighbridge.webhook.installation.files import files
    from weighbridge.webhook.installation.manifests import manifests, text_of
    from weighbridge.webhook.installation.settings import default_values

    if write is not None:
        write_files(write, files())
        return 0
    click.echo(text_of(manifests({**default_values(), "mode": mode}), f"Installs Weighbridge in mode {mode}."), nl=False)
    return 0
