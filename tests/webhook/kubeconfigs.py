"""Kubeconfigs as files."""

from __future__ import annotations

import json
from pathlib import Path


def kubeconfig(folder: Path, server: str, name: str = "config") -> str:
    """A kubeconfig with one context and a token."""
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "clusters": [{"name": "here", "cluster": {"server": server}}],
        "users": [{"name": "me", "user": {"token": "secret"}}],
        "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me"}}],
    }
    (folder / name).write_text(json.dumps(content))
    return str(folder / name)
