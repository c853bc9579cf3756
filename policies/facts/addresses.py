"""Removes hosts and paths from the addresses that authors write: URIs, images, and names of hosts.

Hosts and the segments of paths are replaced by numbers, equal ones by the same number. Public addresses are kept: known hubs and registries
with all that is below them. Parts of a segment that rules read are kept: its extension, the size and the quantization that it names, the
number of a part. The last component of an image is kept, by which engines are recognised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts.credentials import BLANK
from weighbridge.policies.ground.expressions import expression

_URI: Final = expression(r"([a-z][a-z0-9+.-]*)://([^/?#\s]*)([^?#\s]*)(\?[^#\s]*)?(?:#\S*)?", re.IGNORECASE)
#: Schemes of public hubs.
_PUBLIC_SCHEMES: Final = frozenset({"hf", "huggingface", "modelscope", "ms", "ollama"})
_PUBLIC_HOSTS: Final = (
    *("huggingface.co", "hf.co", "modelscope.cn", "github.com", "githubusercontent.com", "ollama.com", "civitai.com"),
    *("docker.io", "ghcr.io", "quay.io", "nvcr.io", "gcr.io", "k8s.io", "public.ecr.aws", "mcr.microsoft.com", "docker.com"),
)
_QUERY_VALUE: Final = expression(r"=[^&]*")
#: Folders of images by which engines are recognised, even in a mirror.
_KNOWN_FOLDERS: Final = frozenset(
    {"ggml-org", "vllm", "lmsysorg", "huggingface", "ollama", "nvidia", "rocm", "intel", "inftyai", "library"}
)
_IMAGE: Final = expression(r"([A-Za-z0-9.-]+(?::[0-9]+)?|localhost)/((?:[a-z0-9._-]+/)*)([a-z0-9._-]+(?::[\w.-]+)?(?:@[A-Za-z0-9:]+)?)")
_HOST: Final = expression(r"(?:\*\.)?(?:[A-Za-z0-9-]+\.)+[A-Za-z][A-Za-z0-9-]*")
_EXTENSION: Final = expression(r"\.(?:gguf|safetensors|bin|pth?|onnx|json|tar|tgz|gz|zst|zip|yaml)$", re.IGNORECASE)
#: The parts of file names that describe weights: parameters, quantization, bits, the number of a part.
_SAID: Final = expression(
    r"(?<![A-Za-z0-9.])(?:(?:\d{1,3}x)?\d{1,4}(?:\.\d{1,3})?b|(?:UD-)?I?Q\d[\w]*|[BF]P?F?\d{1,2}|MXFP4|NVFP4|AWQ|GPTQ|INT\d|W\dA\d{1,2}"
    r"|\d-?bits?|\d{5}-of-\d{5}|gpt-oss)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
#: Fields that hold the name of a host, by their last word.
HOST_FIELDS: Final = frozenset({"host", "hosts", "hostname", "hostnames"})
#: Fields that hold an image.
IMAGE_FIELDS: Final = frozenset({"image", "images"})


class Addresses:
    """New hosts and segments for old ones; hosts of Services get the new names of objects and namespaces."""

    def __init__(self, names: Mapping[str, str], namespaces: Mapping[str, str]) -> None:
        self._names, self._namespaces = names, namespaces
        self._hosts: dict[str, str] = {}
        self._segments: dict[str, str] = {}

    def of(self, text: str, key: str) -> str:
        """The text of the field `key` with new names in its addresses."""
        if "://" in text:
            return _URI.sub(self._uri, text)
        if key in IMAGE_FIELDS and (found := _IMAGE.fullmatch(text)):
            registry, folders, last = found.groups()
            return text if _is_public(registry) or not _is_registry(registry) else f"{self._host(registry)}/{self._path(folders)}{last}"
        if key in HOST_FIELDS and _HOST.fullmatch(text) and not _is_public(text):
            return self._host(text)
        return text

    def _uri(self, found: re.Match[str]) -> str:
        scheme, host, path, query = found.groups()
        if scheme.lower() in _PUBLIC_SCHEMES or _is_public(host):
            return found[0]
        # The claim of a volume already has its new name.
        new = host if scheme.lower() == "pvc" or len(host) <= 1 else self._host(host)
        return f"{scheme}://{new}{self._path(path)}{_QUERY_VALUE.sub(rf'={BLANK}', query or '')}"

    def _host(self, host: str) -> str:
        user, at, name = host.rpartition("@")
        name, colon, port = name.partition(":")
        new = self._in_cluster(name)
        if not new:
            # Rules read whether a host has a domain.
            domain = ".example" if "." in name else ""
            new = self._hosts.setdefault(name, f"host-{len(self._hosts) + 1}{domain}")
        return f"{user}{at}{new}{colon}{port}"

    def _in_cluster(self, host: str) -> str:
        """The new name of a Service's host, ``name.namespace.svc``; empty for others."""
        name, _, rest = host.partition(".")
        namespace, _, domain = rest.partition(".")
        is_service = domain == "svc" or domain.startswith("svc.") or (name in self._names and namespace in self._namespaces)
        if not is_service:
            return self._names.get(host, "") if "." not in host else ""
        new = f"{self._names.get(name, name)}.{self._namespaces.get(namespace, namespace)}"
        return f"{new}.{domain}" if domain else new

    def _path(self, path: str) -> str:
        return "/".join(map(self._segment, path.split("/")))

    def _segment(self, segment: str) -> str:
        # Single letters introduce the parts of an object's address, as in oci://n/NAMESPACE/b/BUCKET/o/OBJECT.
        if len(segment) <= 1 or "{" in segment or segment in _KNOWN_FOLDERS:
            return segment
        extension = found[0] if (found := _EXTENSION.search(segment)) else ""
        said = "".join(f"-{match[0]}" for match in _SAID.finditer(segment.removesuffix(extension)))
        kind = "file" if extension else "path"
        return self._segments.setdefault(segment, f"{kind}-{len(self._segments) + 1}{said}{extension}")


def _is_public(host: str) -> bool:
    name = host.rpartition("@")[2].partition(":")[0].lower()
    return any(name == public or name.endswith(f".{public}") for public in _PUBLIC_HOSTS)


def _is_registry(component: str) -> bool:
    """Whether the first part of an image is a registry (distribution/reference v0.6, normalize.go)."""
    return "." in component or ":" in component or component == "localhost" or component != component.lower()
