"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from weighbridge.policies.ground.server_release import RELEASES, USUAL, nearest
from weighbridge.webhook.report import FORMATS
from weighbridge.webhook.settings.values import WORDS, FailOn, trouble_with_levels
from weighbridge.webhook.texts.streams import as_text

#: Settings of a command that says itself what to write instead of an argument too many.
MORE_ARGUMENTS: Final[Mapping[str, Any]] = {"allow_extra_args": True}


def utf_8(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """Read an argument that is written to the output, which must be text."""
    if given is not None and as_text(given) != given:
        raise click.BadParameter(f"{as_text(given)}: not UTF-8")
    return given


def more_arguments() -> list[str]:
    """The arguments of this call that its command has no place for, if it was declared with `MORE_ARGUMENTS`."""
    return [as_text(argument) for argument in click.get_current_context().args]


def a_namespace(ctx: click.Context, param: click.Parameter, given: str | None) -> str | None:
    """Read the name of a namespace; if the default is empty, it may be empty."""
    from weighbridge.policies.schema.names import dns1123_label

    problems = dns1123_label(utf_8(ctx, param, given) or "") if given is not None and given != param.default else []
    if problems:
        raise click.BadParameter(f'"{given}" isn\'t the name of a namespace: {problems[0]}')
    return given


def a_version(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """Read a version of Kubernetes, such as 1.35 or v1.35.4."""
    if given and nearest(given) is None:
        raise click.BadParameter(f"{as_text(given)} isn't a version of Kubernetes; give one such as {USUAL.name}")
    return given


def versions(ctx: click.Context, param: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Read one version of Kubernetes or several, separated by commas."""
    return tuple(a_version(ctx, param, version.strip()) or "" for version in given.split(",")) if given else ()


def complete_rules(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete a list of rules for a shell: `--ignore LLMKUBE-001,LLMK` ends with the ids of LLMKube."""
    from weighbridge.webhook.texts.rule_addresses import known_rules

    done, comma, last = begun.rpartition(",")
    return [f"{done}{comma}{rule}" for rule in sorted(known_rules()) if rule.startswith(last.upper())]


def complete_kinds(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete a kind for a shell, with the slash before a name."""
    from weighbridge.webhook.inputs.named_objects import nameable_kinds

    kinds = sorted({kind.gvk.kind for kind in nameable_kinds()})
    return [f"{kind}/" for kind in kinds if kind.lower().startswith(begun.lower())]


def complete_releases(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete a list of releases of Kubernetes for a shell."""
    done, comma, last = begun.rpartition(",")
    return [f"{done}{comma}{known.name}" for known in RELEASES if known.name.startswith(last)]


def complete_files(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Make a shell complete the names of files."""
    return [CompletionItem(begun, type="file")]


class _Levels(click.Choice[str]):
    """A level, or several words separated by commas."""

    name = "levels"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        trouble = trouble_with_levels(as_text(value))
        if trouble:
            self.fail(trouble, param, ctx)
        return value


class Outputs(click.Choice[str]):
    """A format of `lint`, alone or with the file into which it is written: ``sarif=out.sarif``."""

    name = "output"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """A known format, with its file if one is given."""
        form, divider, file = value.partition("=")
        form = super().convert(form, param, ctx)
        if divider and not file:
            self.fail(f"{as_text(value)} names no file; write {form}=FILE, or {form} for standard output", param, ctx)
        return f"{form}{divider}{file}"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The form of the value in help texts."""
        return "FORMAT[=FILE]"


output_option = click.option(
    "-o",
    "--output",
    type=Outputs(list(FORMATS)),
    default=["text"],
    multiple=True,
    show_default=True,
    help=f"The form of the output, and the file that it goes to: {', '.join(FORMATS)}. Repeatable; one of them may have no file.",
)
fail_on_option = click.option(
    "--fail-on",
    type=_Levels(WORDS),
    show_default=str(FailOn.PLACEMENT),
    help="What makes the exit code 1. error: refused objects; placement: also objects whose pods no node of --cluster can ever run, or"
    " whose pods the API server refuses; warning, note: also objects with warnings or notes; never: nothing. In addition, after a comma:"
    " capacity: objects whose pods find no room today; unknown: objects of unknown kinds; unchecked: these, and objects for which a rule"
    " lacked facts.",
)
select_option = click.option(
    "--select",
    multiple=True,
    metavar="RULE,...",
    shell_complete=complete_rules,
    help="The rules whose findings count, such as LLMKUBE or LLMKUBE-08*; by default all.",
)
ignore_option = click.option(
    "--ignore",
    multiple=True,
    metavar="RULE,...",
    shell_complete=complete_rules,
    help="The rules whose findings are ignored, such as LLMKUBE-085.",
)
settings_option = click.option(
    "--settings",
    metavar="FILE",
    shell_complete=complete_files,
    help="The file of settings; by default the nearest weighbridge.yaml, in the folder or above it.",
)
isolated_option = click.option("--isolated", is_flag=True, help="Ignore weighbridge.yaml and the settings in environment variables.")
namespace_option = click.option(
    "-n", "--namespace", metavar="NAME", show_default="default", callback=a_namespace, help="The namespace of manifests that name none."
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="The number of processes that judge at the same time; by default as many as make it faster.",
)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Also show notes, excepted findings and every detail.")
crds_option = click.option(
    "--crds",
    multiple=True,
    metavar="PATH",
    shell_complete=complete_files,
    help="CRDs, in files or folders; they replace the bundled ones of the same kinds.",
)
cluster_option = click.option(
    "--cluster",
    multiple=True,
    metavar="SNAPSHOT",
    shell_complete=complete_files,
    help="A snapshot of the cluster, or manifests of its nodes, objects and CRDs (YAML or JSON).",
)
policies_option = click.option(
    "--policies",
    multiple=True,
    metavar="PATH",
    shell_complete=complete_files,
    help="The cluster's validating and mutating admission policies with their bindings and parameters: files or folders. They are applied"
    " to the judged objects, and not judged themselves.",
)
kubernetes_option = click.option(
    "--kubernetes-version",
    "kubernetes",
    metavar="VERSION",
    callback=a_version,
    shell_complete=complete_releases,
    help=f"The Kubernetes release to judge by: {', '.join(known.name for known in RELEASES)}; by default that of the snapshot, else"
    f" {USUAL.name}.",
)
kubernetes_releases_option = click.option(
    "--kubernetes-version",
    "kubernetes",
    metavar="VERSION[,VERSION]",
    callback=versions,
    shell_complete=complete_releases,
    help=f"The Kubernetes release to judge by; by default that of the snapshot, else {USUAL.name}. "
    "With several, each finding names the releases that have it.",
)
stage_option = click.option(
    "--stage",
    type=click.Choice(["whole", "apiserver"]),
    default="whole",
    show_default=True,
    help="apiserver: only do what kube-apiserver itself does, and run no rules of Weighbridge.",
)
release_option = click.option(
    "--release",
    multiple=True,
    metavar="SYSTEM=VERSION",
    help="The release of a system to judge by, such as llmkube=0.9.19; its CRDs replace the installed ones. "
    "With several, each finding names the releases that have it.",
)
config_option = click.option("--config", metavar="FILE", shell_complete=complete_files, help="The configuration (kind: Configuration).")
colour_option = click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether the output has colours; auto: only on a terminal.",
)
kubeconfig_option = click.option(
    "--kubeconfig",
    metavar="FILE",
    help="The kubeconfig to use; by default the pod's service account, else KUBECONFIG, else ~/.kube/config.",
)
context_option = click.option("--context", metavar="NAME", help="The context of the kubeconfig to use; by default the current one.")
_context_option = click.option(
    "--context",
    multiple=True,
    metavar="PATH",
    shell_complete=complete_files,
    help="Files and folders whose objects are known but not judged, so that judged objects can refer to them.",
)
_changed_since_option = click.option(
    "--changed-since",
    metavar="REF",
    help="Only judge the objects that have changed since the branch left REF (a branch, tag or commit), and report other objects that the"
    " change breaks. Runs git.",
)
_stdin_filename_option = click.option(
    "--stdin-filename",
    default="",
    metavar="PATH",
    help="The name of the file whose text is on standard input (-). Findings name it; the file itself isn't read.",
)


exclude_option = click.option(
    "--exclude",
    multiple=True,
    metavar="GLOB",
    help="Files and folders to leave out, in the syntax of .gitignore, relative to the current folder.",
)
force_exclude_option = click.option(
    "--force-exclude", "is_forced", is_flag=True, help="Leave out a given PATH, too, if an ignore file or --exclude names it."
)


def settings_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose which settings are read."""
    return settings_option(isolated_option(command))


def exclude_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that exclude files."""
    return exclude_option(force_exclude_option(command))


def scope_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose what is read, what of it is judged, and what else is known."""
    return exclude_options(_context_option(_changed_since_option(_stdin_filename_option(command))))
