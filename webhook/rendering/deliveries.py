"""Renders parts of the tree as HelmRelease and Application objects say, with the values that they give."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.manifests import InputIssue, Manifest
from weighbridge.webhook.rendering import charts, overlays
from weighbridge.webhook.rendering.built import Built
from weighbridge.webhook.rendering.kustomizations import Tree
from weighbridge.webhook.rendering.plans import NotPlanned, Plan, plans_of, replaces
from weighbridge.webhook.rendering.render import Files, Rendering, at_once, has_obstacle, listed
from weighbridge.webhook.rendering.surroundings import Surroundings
from weighbridge.webhook.texts.counts import counted
from weighbridge.webhook.texts.streams import warn

_WITHOUT: Final = "isn't on PATH"


@dataclass(slots=True)
class Delivered:
    """The renderings for some objects, and a text about each object, by its number; `built` has the namespace of each rendering."""

    built: list[tuple[Built, str]] = field(default_factory=list)
    issues: list[InputIssue] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Job:
    """A plan of an object, with the title of the rendering."""

    number: int
    manifest: Manifest
    plan: Plan
    title: str


def delivered(given: Sequence[Manifest], tree: Surroundings, known: Sequence[str], kubernetes: str) -> Delivered:
    """Render for the given delivery objects; `known` are the titles of existing renderings."""
    found = Delivered()
    planned: list[tuple[int, Manifest, Plan]] = []
    for number, manifest in enumerate(given):
        for plan in plans_of(manifest, tree):
            if isinstance(plan, NotPlanned):
                found.said[number] = f"which isn't judged here: {plan.why}"
            elif not plan.is_chart and not plan.fields and plan.folder in known:
                found.said[number] = "which is judged as it is built"
            else:
                planned.append((number, manifest, plan))
    if not planned:
        return found
    # Other programs read files that aren't recorded here.
    not_repeatable()
    jobs = list(_titled(planned))
    _render(jobs, found, kubernetes)
    return found


def _titled(planned: Sequence[tuple[int, Manifest, Plan]]) -> Iterator[_Job]:
    usual = [f"{plan.folder} as {manifest.label}" for _, manifest, plan in planned]
    times = Counter(usual)
    for title, (number, manifest, plan) in zip(usual, planned, strict=True):
        place = f"{manifest.document.source}:{manifest.position().line}"
        yield _Job(number, manifest, plan, title if times[title] == 1 else f"{title} of {place}")


def _render(jobs: Sequence[_Job], found: Delivered, kubernetes: str) -> None:
    read = Files()
    helm = charts.program() if any(job.plan.is_chart for job in jobs) else ""
    tool = overlays.program() if any(not job.plan.is_chart for job in jobs) else ()
    able = [job for job in jobs if (helm if job.plan.is_chart else tool)]
    _tell_what_to_run([job for job in jobs if job not in able], found)
    results = at_once(lambda job: _of_chart(job, read, kubernetes, helm) if job.plan.is_chart else _of_folder(job, read, tool), able)
    for job, result in zip(able, results, strict=True):
        _take(job, result, found)


def _take(job: _Job, result: Built | InputIssue | charts.NotRendered, found: Delivered) -> None:
    if isinstance(result, Built):
        found.built.append((result, job.plan.namespace))
        lacking = f" without the values of {', '.join(job.plan.unknown)}, which aren't known here" if job.plan.unknown else ""
        found.said[job.number] = f"which is judged as rendered{lacking}"
        return
    if isinstance(result, InputIssue):
        if result not in found.issues:
            found.issues.append(result)
        found.said[job.number] = "which can't be rendered"
        return
    why = f"{result.why}; the values of {', '.join(job.plan.unknown)} aren't known here" if job.plan.unknown else result.why
    found.said[job.number] = f"which isn't rendered: {why}"
    warn(f"{job.manifest.document.source}:{job.manifest.position().line}: {job.title} isn't rendered ({why})")


def _of_chart(job: _Job, read: Files, kubernetes: str, helm: str) -> Built | InputIssue | charts.NotRendered:
    chart = next((chart for document in read(os.path.join(job.plan.folder, charts.FILE))[:1] if (chart := charts.chart_of(document))), None)
    if chart is None:
        return charts.NotRendered(f"{charts.FILE} of {job.plan.folder} isn't a chart's")
    if chart.is_library:
        return charts.NotRendered(f"{job.plan.folder} is a library, which other charts use")
    plan = job.plan
    release = charts.ChartRelease(
        job.title,
        plan.namespace or "default",
        name=plan.name,
        files=plan.files,
        texts=plan.texts,
        options=plan.options,
        has_own_values=plan.has_own_values,
        because=_because(job),
    )
    return charts.rendered(chart, release, kubernetes, helm)


def _of_folder(job: _Job, read: Files, tool: tuple[str, ...]) -> Built | InputIssue | charts.NotRendered:
    tree = Tree(read.kustomization)
    root = tree.of(job.plan.folder)
    if root is None:
        return charts.NotRendered(f"{job.plan.folder} has no kustomization that can be read")
    replaced = replaces(job.plan, root.value)
    if replaced:
        return charts.NotRendered(f"its kustomize.{replaced} replaces that of {root.file}")
    obstacles = Rendering()
    if has_obstacle(root, tree, obstacles):
        return charts.NotRendered("; ".join([*obstacles.left.values(), *(issue.message for issue in obstacles.issues)]))
    changes = overlays.Changes(job.title, job.plan.fields or {}, _because(job))
    result = overlays.built(root, tree.parts(root), read, tool, changes)
    # Errors of the folder itself are found when it is built without changes.
    return charts.NotRendered(result.message) if isinstance(result, InputIssue) else result


def _because(job: _Job) -> frozenset[str]:
    return frozenset({job.manifest.document.source, *job.plan.files})


def _tell_what_to_run(jobs: Sequence[_Job], found: Delivered) -> None:
    """Report what couldn't be rendered for lack of a program, and how to judge the first of it."""
    for is_chart, program in ((True, "helm"), (False, "neither kustomize nor kubectl")):
        lacking = [job for job in jobs if job.plan.is_chart is is_chart]
        if not lacking:
            continue
        what = f"{program} {_WITHOUT if is_chart else 'is on PATH'}"
        for job in lacking:
            found.said[job.number] = f"which isn't rendered; {what}"
        names = listed([job.title for job in lacking])
        rest = "isn't" if len(lacking) == 1 else "aren't"
        warn(f"{names}: {counted(len(lacking), 'rendering')} {rest} judged, since {what}; {_command(lacking[0])}")


def _command(job: _Job) -> str:
    plan = job.plan
    if not plan.is_chart:
        changes = f" with kustomize.{', kustomize.'.join(plan.fields)} of {job.manifest.label} in it" if plan.fields else ""
        return f"to judge it run: kustomize build {shlex.quote(plan.folder)} | weighbridge lint -{changes}"
    options = [part for file in plan.files for part in ("--values", file)]
    options += ["--values", "VALUES"] if plan.texts else []
    words = ["helm", "template", plan.name, plan.folder, "--namespace", plan.namespace or "default", *options, *plan.options]
    first = "write its values into VALUES, and run" if plan.texts else "run"
    return f"to judge it {first}: {' '.join(map(shlex.quote, words))} | weighbridge lint -"
