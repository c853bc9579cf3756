"""`weighbridge export`: policies, rules and fill-ins as the API server's admission policies, which work without the webhook."""

from __future__ import annotations

from pathlib import Path

import click

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.config.selection import Names
from weighbridge.policies.ground.server_release import judging
from weighbridge.policies.ground.spelling import closest
from weighbridge.webhook.cli.configured import configured
from weighbridge.webhook.cli.options import (
    complete_rules,
    config_option,
    crds_option,
    kubernetes_option,
    settings_options,
    verbose_option,
)
from weighbridge.webhook.settings.search import settled
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import complain


@click.command("export")
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=complete_rules)
@config_option
@crds_option
@kubernetes_option
@click.option(
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a file for each policy and rule into this folder instead of all of them to standard output.",
)
@settings_options
@verbose_option
def command(
    ids: tuple[str, ...],
    config: str | None,
    crds: tuple[str, ...],
    kubernetes: str | None,
    output_dir: Path | None,
    settings: str | None,
    isolated: bool,
    verbose: bool,
) -> int:
    """Write policies, rules and fill-ins as admission policies with their bindings, for the API server to use without Weighbridge.

    Checks become ValidatingAdmissionPolicies, fill-ins become MutatingAdmissionPolicies. ID is a policy of the configuration, a rule,
    or a field that Weighbridge fills in, such as llmkube.Model.spec.hardware.gpu.resourceName; * matches any characters. Without ID
    it writes all that can be exported. Standard error names what can't be exported, with the reason; built-in rules and fill-ins only if
    ID names them or with -v.

    Exit code 0: something was written, 1: nothing, 2: something could not be read.
    """
    run = settled({"config": config, "crds": crds, "kubernetes-version": kubernetes}, file=settings, isolated=isolated)
    from weighbridge.webhook.cli.exporting.exports import exports, known_ids, remarks
    from weighbridge.webhook.cli.exporting.manifests import manifest
    from weighbridge.webhook.inputs.facts import load_configuration, load_facts

    written = load_configuration(run.text("config")) if run.text("config") else DEFAULT
    facts = load_facts(crds=run.texts("crds"), config=written, kubernetes=next(iter(run.words("kubernetes-version")), ""))
    known = list(known_ids(written))
    for wanted in ids:
        if not any(map(Names([wanted]).mean, known)):
            near = closest(wanted, known)
            raise InputError(
                f"no policy, rule or fill-in is named {wanted}; " + (f"did you mean {near}?" if near else "weighbridge rules lists them")
            )
    with judging(facts.definitions.server):
        found = exports(ids, facts.definitions, configured(written, facts))
        said = list(remarks(found, facts.definitions, is_verbose=verbose or bool(ids)))
    texts = {f"{policy.id.lower()}.yaml": "---\n".join(map(manifest, own.objects)) for policy, own in found.done}
    if output_dir is not None:
        from weighbridge.webhook.cli.written import write_files

        write_files(output_dir, texts)
    else:
        click.echo("---\n".join(texts.values()), nl=False)
    complain("\n".join(said))
    return 0 if found.done else 1
