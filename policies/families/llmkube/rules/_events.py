"""Warnings that the operator also emits as events."""

from collections.abc import Iterable

from weighbridge.policies.families.llmkube.rulebook import Said, Violation
from weighbridge.policies.families.prediction import Event
from weighbridge.policies.ground.objects import Path


def warned(events: Iterable[Event], reason: str, path: Path, *, hint: str) -> Said:
    """The events of one reason, as violations of a field."""
    return (Violation(path, event.note, hint=hint) for event in events if event.reason == reason)
