"""`yaml`: the objects as they would be stored, ready to be read or piped on; a refused one is a comment that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from webhook.streams import in_utf_8
from webhook.verdict import Verdict
from webhook.yaml_text import yaml_text


class YamlFormat:
    """Writes one YAML document per request."""

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        del colour
        self._stream = in_utf_8(stream)

    def write(self, verdict: Verdict) -> None:
        """The stored object, or comments."""
        record = verdict.record
        comments = [f"# {verdict.place or record['id']}: {verdict.outcome}"]
        comments += [f"# {line}" for line in record["message"].splitlines()]
        comments += [f"# warning: {warning}" for warning in record["warnings"]]
        self._stream.write("---\n" + "\n".join(comments) + "\n")
        if record["allowed"] and record["object"] is not None:
            self._stream.write(yaml_text(record["object"]))

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Nothing comes last."""
