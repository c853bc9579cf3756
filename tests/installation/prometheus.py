"""Evaluates expressions with Prometheus' own engine, over pages of metrics as it would have scraped them once a minute."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from prometheus_client.parser import text_string_to_metric_families

from weighbridge.webhook.installation.alerts import Alert

#: The pages of all replicas at one time.
Scrape: TypeAlias = Sequence[str]
_MINUTE: Final = 60_000
#: The time before the event in which all was well; longer than any expression looks back.
_WELL_MINUTES: Final = 20


@dataclass
class Series:
    """The scraped series, by labels."""

    samples: dict[tuple[tuple[str, str], ...], list[tuple[int, float | None]]] = field(default_factory=dict)

    def add(self, at: int, scrape: Scrape) -> None:
        """Add the pages of one minute; a series that is missing now has ended."""
        found = dict(_samples(scrape))
        for labels, samples in self.samples.items():
            if labels not in found and samples[-1][1] is not None:
                samples.append((at, None))
        for labels, value in found.items():
            self.samples.setdefault(labels, []).append((at, value))

    def evaluate(self, promql: Path, expressions: Sequence[str], times: Sequence[int]) -> Any:
        """For each expression and each time, in milliseconds, a list of results with labels and value."""
        series = [{"labels": dict(labels), "samples": samples} for labels, samples in self.samples.items()]
        given = json.dumps({"series": series, "expressions": expressions, "times": times})
        done = subprocess.run([str(promql)], input=given, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def _samples(scrape: Scrape) -> Iterable[tuple[tuple[tuple[str, str], ...], float]]:
    for number, page in enumerate(scrape):
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                if math.isfinite(sample.value):
                    own = {"pod": f"weighbridge-{number}", "instance": f"10.0.0.{number}:9080"}
                    # The parser gives the names of all counters the ending of OpenMetrics, which those of the API server don't have.
                    name = sample.name if sample.name in page else sample.name.removesuffix("_total")
                    yield tuple(sorted({**own, **sample.labels, "__name__": name}.items())), sample.value


def fires(promql: Path, alert: Alert, before: Scrape, after: Scrape, now: float) -> bool:
    """Whether the alert fires at some time after `now`, when the pages change to those of `after`; it mustn't fire before."""
    start = int(now * 1000)
    series = Series()
    for minute in range(-_WELL_MINUTES, 0):
        series.add(start + minute * _MINUTE, before)
    for minute in range(alert.minutes + 2):
        series.add(start + minute * _MINUTE, after)
    times = [start + minute * _MINUTE for minute in range(-5, alert.minutes + 2)]
    (results,) = series.evaluate(promql, [alert.expression], times)
    assert not any(results[:5]), "it fires while everything is well"
    return all(results[6:])
