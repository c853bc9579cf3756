"""`weighbridge schema`: the JSON Schemas that this version exports, and the OpenAPI document of the server."""

from __future__ import annotations

import json
from pathlib import Path

import click

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cli.written import write_files

_OPENAPI = "openapi"


def _schemas() -> dict[str, JSONObject]:
    from weighbridge.policies.facts import document
    from weighbridge.policies.families import configuration
    from weighbridge.webhook.dry_run_report.parts import record
    from weighbridge.webhook.settings import schema as settings

    return {
        "configuration": configuration.json_schema(),
        "settings": settings.json_schema(),
        "snapshot": document.json_schema(),
        "verdict": record.json_schema(),
    }


def _openapi() -> JSONObject:
    from weighbridge.policies.apiserver.definitions import Definitions
    from weighbridge.policies.config import DEFAULT
    from weighbridge.policies.facts import Facts
    from weighbridge.webhook.server.health import openapi_document
    from weighbridge.webhook.server.service import Service
    from weighbridge.webhook.server.settings import ServerSettings

    return openapi_document(Service(ServerSettings(), Facts(Definitions()), DEFAULT))


@click.command("schema")
@click.argument("name", type=click.Choice(["configuration", "settings", "snapshot", "verdict", _OPENAPI]), required=False, metavar="[NAME]")
@click.option("--write", type=click.Path(file_okay=False, path_type=Path), help="Write NAME.schema.json files into this folder instead.")
def command(name: str | None, write: Path | None) -> None:
    """Print a JSON Schema: NAME is configuration, settings, snapshot or verdict. Without NAME, print one object with all four.

    If NAME is openapi, print the OpenAPI document that the server also serves under /openapi.json.
    """
    if name == _OPENAPI and write is None:
        click.echo(json.dumps(_openapi(), indent=2))
        return
    schemas = _schemas()
    if write is not None:
        write_files(write, {f"{key}.schema.json": json.dumps(schema, indent=2) + "\n" for key, schema in schemas.items()})
        return
    click.echo(json.dumps(schemas if name is None else schemas[name], indent=2))
