"""Judges cases: each by its own configuration and cluster, as `dry-run` would."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cli.cases.comparison import Difference, differences
from weighbridge.webhook.cli.cases.reader import Case, read_case
from weighbridge.webhook.configuration.namespace_configuration import in_force
from weighbridge.webhook.dry_run_report.parts.record import verdict_record
from weighbridge.webhook.inputs.facts import facts_of, load_configuration
from weighbridge.webhook.inputs.requests import request_of
from weighbridge.webhook.texts.errors import InputError


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case with its verdict; without one `error` says why the case can't be read."""

    name: str
    case: Case | None = None
    request: Request | None = None
    config: Configuration = DEFAULT
    decision: Decision | None = None
    differences: Sequence[Difference] = ()
    error: str = ""
    seconds: float = 0.0

    @property
    def is_well(self) -> bool:
        """Whether the verdict is the expected one."""
        return not (self.error or self.differences)


@dataclass(slots=True)
class Judge:
    """Judges cases; `config` is for cases without their own configuration. Configurations are read once."""

    config: str
    crds: Sequence[str]
    kubernetes: str
    namespace: str
    _read: dict[str, Configuration] = field(default_factory=dict)

    def judge(self, folder: str, name: str) -> JudgedCase:
        """Judge the case in a folder."""
        started = time.perf_counter()
        try:
            case = read_case(folder)
            request, config, decision = self.decided(case)
        except InputError as error:
            return JudgedCase(name, error=str(error), seconds=time.perf_counter() - started)
        found = differences(case.expect, record_of(decision))
        return JudgedCase(name, case, request, config, decision, found, seconds=time.perf_counter() - started)

    def decided(self, case: Case) -> tuple[Request, Configuration, Decision]:
        """The request of a case, the configuration in force, and the verdict. Raises InputError."""
        written = self._configuration(case.config or self.config)
        facts = facts_of(
            case.objects, case.extent, self.crds, [case.object], self.namespace, written, self.kubernetes, source=(case.folder,)
        )
        config = in_force(written, facts, case.moment or datetime.now(UTC))
        operation = Operation.UPDATE if case.old is not None else Operation.CREATE
        request = request_of(case.object, facts.definitions, uid="case", namespace=self.namespace, operation=operation, old=case.old)
        request = replace(request, field_validation=case.field_validation)
        return request, config, decide(request, facts, config)

    def _configuration(self, path: str) -> Configuration:
        if not path:
            return DEFAULT
        if path not in self._read:
            self._read[path] = load_configuration(path)
        return self._read[path]


def record_of(decision: Decision) -> Mapping[str, Any]:
    """A verdict as the record of a dry run."""
    return verdict_record("case", decision)
