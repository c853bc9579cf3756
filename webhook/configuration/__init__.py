"""Reads configuration files; every mistake names its line, its field and the nearest key or value that would do."""

from __future__ import annotations

from webhook.configuration.mistakes import ConfigurationError, Mistake
from webhook.configuration.reading import ReadConfiguration, read, read_configuration

__all__ = ["ConfigurationError", "Mistake", "ReadConfiguration", "read", "read_configuration"]
