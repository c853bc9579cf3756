"""`weighbridge schema`: the JSON Schemas that this version exports."""

from __future__ import annotations

import json
from pathlib import Path

import click

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cli.written import write_files


def _schemas() -> dict[str, JSONObject]:
    from weighbridge.policies.facts import document
    from weighbridge.policies.families import configuration
    from weighbridge.webhook.verdict import record

    return {"configuration": configuration.json_schema(), "snapshot": document.json_schema(), "verdict": record.json_schema()}


@click.command("schema")
@click.argument("name", type=click.Choice(["configuration", "snapshot", "verdict"]), required=False, metavar="[NAME]")
@click.option("--write", type=click.Path(file_okay=False, path_type=Path), help="Write NAME.schema.json files into this folder instead.")
def command(name: str | None, write: Path | None) -> None:
    """Print the JSON Schema NAME, which is configuration, snapshot or verdict; without NAME one object with all of them."""
    schemas = _schemas()
    if write is not None:
        write_files(write, {f"{key}.schema.json": json.dumps(schema, indent=2) + "\n" for key, schema in schemas.items()})
        return
    click.echo(json.dumps(schemas if name is None else schemas[name], indent=2))
