"""`weighbridge config`: checks a configuration, and shows what holds and why."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import click

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cli.options import a_namespace, cluster_option, config_option, isolated_option, settings_option
from weighbridge.webhook.configuration.explained import ConfigurationExplanation, Explained
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake
from weighbridge.webhook.configuration.namespace_configuration import in_force, troubles
from weighbridge.webhook.configuration.reader import read
from weighbridge.webhook.settings.checks import Checked, checked, configurations_in
from weighbridge.webhook.settings.explained import options_of
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.texts.cells import width
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.json_text import document_text
from weighbridge.webhook.texts.streams import as_text
from weighbridge.webhook.texts.style import Style

VERSION: Final = 1
#: The version of the report of `config check`; its warnings have places since version 2.
CHECK_VERSION: Final = 2
#: The column of the origins, next to the settings.
_ORIGIN_COLUMN: Final = 50


@click.group("config")
def command() -> None:
    """Check a configuration; show each setting with its origin."""


@command.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How the mistakes are written."
)
def check(paths: tuple[str, ...], output: str) -> int:
    """List all mistakes in configurations and settings files.

    It also warns of settings without effect. PATH is a file, or a folder with such files.

    Exit code 0: no mistakes, 2: some.
    """
    from weighbridge.webhook.inputs.facts import bundled_definitions

    moment = datetime.now(UTC)
    found = [_checked_settings(path) or checked(path, moment, bundled_definitions) for path in configurations_in(paths)]
    if output == "json":
        mistakes = [mistake.as_json() for one in found for mistake in one.mistakes]
        warnings = [warning.as_json() for one in found for warning in one.warnings]
        record = {"version": CHECK_VERSION, "valid": not mistakes, "mistakes": mistakes, "warnings": warnings}
        click.echo(json.dumps(record, indent=2))
    else:
        for one in found:
            for line in (*map(str, one.mistakes), *(warning.as_warning() for warning in one.warnings)):
                click.echo(shown(line))
            click.echo(f"{shown(one.name)}: {_counted(one.mistakes) if one.mistakes else 'can be used'}")
    return 2 if any(one.mistakes for one in found) else 0


def _checked_settings(path: str) -> Checked | None:
    """The check of a file of settings; `None` if it is a configuration, which can have that name too."""
    from weighbridge.webhook.settings.file import read_settings
    from weighbridge.webhook.settings.search import NAMES

    if os.path.basename(path) not in NAMES:
        return None
    try:
        # A configuration sets `config` to itself.
        return None if read_settings(path).texts("config") == (path,) else Checked(as_text(path), (), ())
    except ConfigurationError as error:
        return Checked(as_text(path), error.mistakes, ())


def _counted(mistakes: Sequence[Mistake]) -> str:
    return "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"


@command.command("show", short_help="Show each setting with its origin.")
@config_option
@cluster_option
@settings_option
@isolated_option
@click.option(
    "-n",
    "--namespace",
    default="",
    metavar="NAME",
    callback=a_namespace,
    help="The settings in this namespace, with its own stricter ones.",
)
@click.option("--effective", is_flag=True, help="All settings with their defaults, not only those that are set.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "yaml", "json"]), default="text", show_default=True, help="How settings are written."
)
def show(
    config: str | None, cluster: tuple[str, ...], settings: str | None, isolated: bool, namespace: str, effective: bool, output: str
) -> int:
    """Show each setting with its value and its origin: the default, a line of the file, a namespace, the operator in the cluster.

    First come the settings of the command line, as lint uses them in this folder, then those of the configuration. --cluster adds what
    namespaces set with ConfigMaps, and how the operator is set up.
    """
    from weighbridge.policies.config import DEFAULT
    from weighbridge.webhook.inputs.facts import bundled_definitions, load_facts

    run = settled({"config": config, "cluster": cluster}, file=settings, isolated=isolated)
    found = read(run.text("config"), bundled_definitions) if run.text("config") else None
    base = found.config if found is not None else DEFAULT
    facts = load_facts(run.texts("cluster"), config=base)
    standing = in_force(base, facts, datetime.now(UTC))
    explanation = ConfigurationExplanation(standing, found)
    explained = list(explanation.effective(facts, namespace) if effective else explanation.written(namespace))
    options = list(options_of(run, effective=effective))
    record = {
        "version": VERSION,
        "namespace": namespace,
        "effective": effective,
        "options": [entry.as_json() for entry in options],
        "settings": [entry.as_json() for entry in explained],
        "warnings": troubles(standing),
    }
    click.echo(_text(record, [*options, *explained]) if output == "text" else document_text(record, output), nl=False)
    return 0


def _text(record: JSONObject, settings: Sequence[Explained]) -> str:
    columns = max(40, Style.of(sys.stdout, environ=os.environ).width)
    lines = [line for entry in settings for line in _lines(entry, columns)]
    lines += [line for warning in record["warnings"] for line in _wrapped(f"warning: {shown(warning)}", columns)]
    return "".join(f"{line}\n" for line in lines or ["no setting is set; --effective shows the defaults"])


def _lines(entry: Explained, columns: int) -> Iterator[str]:
    """A setting with its origin on the same line, or on the next one if there is no room."""
    *above, last = _wrapped(shown(f"{entry.setting}: {_value(entry)}"), columns)
    origin = f"# {shown(entry.origin)}"
    yield from above
    if width(last) < _ORIGIN_COLUMN and _ORIGIN_COLUMN + width(origin) <= columns:
        yield f"{last}{' ' * (_ORIGIN_COLUMN - width(last))}{origin}"
    else:
        yield last
        yield from (f"    {line}" for line in _wrapped(origin, columns - 4))


def _value(entry: Explained) -> str:
    if entry.value is None:
        return "everything" if entry.setting.startswith("fillIn.") else "not set"
    return entry.value if isinstance(entry.value, str) and entry.value else json.dumps(entry.value, ensure_ascii=False)


def _wrapped(text: str, columns: int) -> list[str]:
    return textwrap.wrap(text, columns, subsequent_indent="    ", break_on_hyphens=False) or [""]
