"""Applies `select`, `ignore` and `overrides` of the settings to findings, by their rule and file."""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.judgement import INTERNAL_RULE
from weighbridge.webhook.settings.rule_names import chosen_by, trouble_with_rules
from weighbridge.webhook.settings.values import COMMAND_LINE, Failing, OptionSetting, Override, Settings, words
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The settings for one file."""

    select: OptionSetting | None
    ignored: tuple[tuple[OptionSetting, str], ...]
    levels: tuple[str, ...]


class FileSettings:
    """The settings of a run for each file."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, _Chosen] = {}

    def why_ignored(self, source: str, rule: str) -> str:
        """Why a rule's findings in a file are ignored; empty if they aren't."""
        if rule == INTERNAL_RULE:
            return ""
        chosen = self._chosen(source)
        for setting, reason in chosen.ignored:
            if written := chosen_by(setting.values, rule):
                return reason or f"ignore {written} of {_origin(setting, written)}"
        if chosen.select is not None and not chosen_by(chosen.select.values, rule):
            return f"not selected by {_origin(chosen.select, '')}"
        return ""

    def failing(self, source: str) -> Failing:
        """What makes the exit code 1, for a file."""
        return Failing.of(self._chosen(source).levels)

    def _chosen(self, source: str) -> _Chosen:
        known = self._known.get(source)
        if known is None:
            known = self._known[source] = self._of(source, [each for each in self._settings.overrides if each.holds_for(source)])
        return known

    def _of(self, source: str, overrides: Sequence[Override]) -> _Chosen:
        del source
        named = self._settings.named
        select, levels = named.get("select"), self._settings.words("fail-on")
        ignored = [(named["ignore"], "")] if "ignore" in named else []
        for each in overrides:
            if self._settings.origin("select") != COMMAND_LINE:
                select = each.named.get("select", select)
            if self._settings.origin("fail-on") != COMMAND_LINE:
                levels = words(each.texts("fail-on")) or levels
            if "ignore" in each.named:
                ignored.append((each.named["ignore"], f"{each.reason} ({each.origin})" if each.reason else ""))
        return _Chosen(select, tuple(ignored), levels)


def check_rules(settings: Settings) -> None:
    """Check the rules that the command line names; those of other sources are checked where they are read. Raises InputError."""
    for key in ("select", "ignore"):
        if settings.origin(key) == COMMAND_LINE:
            for written in settings.texts(key):
                if trouble := trouble_with_rules(written):
                    raise InputError(f"--{key}: {as_text(trouble)}")


def _origin(setting: OptionSetting, written: str) -> str:
    if len(setting.lines) == len(setting.values) and written in setting.values:
        return f"{setting.origin.rpartition(':')[0]}:{setting.lines[setting.values.index(written)]}"
    return f"the {setting.origin}" if setting.origin == COMMAND_LINE else setting.origin
