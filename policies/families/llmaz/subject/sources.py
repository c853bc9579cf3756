"""Where a model's files come from: the path that engines get, the loader's variables, and the secrets that the two read.

With the annotation `llmaz.io/skip-model-loader: "true"` there is no loader: the engine gets the model's name at its hub, or the URI.
Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import SKIP_ANNOTATION
from weighbridge.policies.ground.fields import part, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass

_ROOT: Final = "/workspace/models/"
_HUB_KEYS: Final = "modelhub-secret"
#: Per scheme, the secret and its keys, each of which is a variable.
_KEYS: Final = {
    "OSS": ("oss-access-secret", ("OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET")),
    "S3": ("aws-access-secret", ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")),
    "GCS": ("aws-access-secret", ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")),
}
SCHEMES: Final = ("GCS", "OSS", "S3", "OLLAMA", "HOST")


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a model; `scheme` is empty for a hub, `address` is the text after `://`."""

    model: JSONObject
    scheme: str
    address: str
    uri: str
    hub: JSONObject

    @property
    def is_hub(self) -> bool:
        """Whether it is on a hub, which overrides a URI."""
        return not self.scheme

    @property
    def served_name(self) -> str:
        """The name under which the engine serves it."""
        return self.address if self.scheme == "OLLAMA" else name_of(self.model)

    def path(self, *, skips: bool) -> str:
        """The path of the files, or the name or URI that the engine loads by itself."""
        if self.is_hub:
            identity, filename = text(self.hub, "modelID"), self.hub.get("filename")
            if skips:
                return identity
            # An empty name of a file is one.
            return f"{_ROOT}{filename}" if isinstance(filename, str) else f"{_ROOT}models--{identity.replace('/', '--')}"
        if self.scheme == "HOST":
            return self.address
        if skips:
            return self.uri
        # Ollama's addresses have no bucket before the path.
        path = self.address if self.scheme == "OLLAMA" else self.address.partition("/")[2]
        last = path.rpartition("/")[2]
        return f"{_ROOT}{last}" if ".gguf" in path else f"{_ROOT}models--{last}"

    @property
    def has_loader(self) -> bool:
        """Whether a container fetches the files: Ollama fetches them by itself, and a folder of the node has them already."""
        return self.scheme not in ("OLLAMA", "HOST")

    def loader_environment(self) -> list[JSONObject]:
        """The loader's own variables; none for S3 and GCS."""
        if self.is_hub:
            return [*self._hub_variables(), *self.secret_variables()]
        if self.scheme != "OSS":
            return []
        bucket, endpoint, path = oss_parts(self.address)
        values = {"MODEL_SOURCE_TYPE": "objstore", "PROVIDER": "OSS", "ENDPOINT": endpoint, "BUCKET": bucket, "MODEL_PATH": path}
        return [*_plain(values), *self.secret_variables()]

    def secret_variables(self) -> list[JSONObject]:
        """The variables from a Secret, which may be missing."""
        if self.is_hub:
            return [_secret(name, _HUB_KEYS, "HF_TOKEN") for name in ("HUGGING_FACE_HUB_TOKEN", "HF_TOKEN")]
        secret, keys = _KEYS.get(self.scheme, ("", ()))
        return [_secret(key, secret, key) for key in keys]

    def _hub_variables(self) -> list[JSONObject]:
        hub = self.hub
        values = {
            "MODEL_SOURCE_TYPE": "modelhub",
            "MODEL_ID": text(hub, "modelID"),
            "MODEL_HUB_NAME": text(hub, "name", "Huggingface"),
        }
        if isinstance(hub.get("filename"), str):
            values["MODEL_FILENAME"] = text(hub, "filename")
        values["REVISION"] = text(hub, "revision", "main")
        for variable, key in (("MODEL_ALLOW_PATTERNS", "allowPatterns"), ("MODEL_IGNORE_PATTERNS", "ignorePatterns")):
            if isinstance(hub.get(key), list):
                values[variable] = ",".join(texts(hub, key))
        return _plain(values)


def source_of(model: JSONObject) -> Source | None:
    """The source of a model; `None` if it has none that can be read."""
    source = part(spec_of(model), "source")
    if isinstance(source.get("modelHub"), dict):
        return Source(model, "", "", "", part(source, "modelHub"))
    uri = text(source, "uri")
    scheme, between, address = uri.partition("://")
    return Source(model, scheme.upper(), address, uri, {}) if between and scheme.upper() in SCHEMES else None


def skips_loader(obj: JSONObject) -> bool:
    """Whether the annotation leaves out the loader; only the value `true` does."""
    return text_map(metadata_of(obj), "annotations").get(SKIP_ANNOTATION) == "true"


def oss_parts(address: str) -> tuple[str, str, str]:
    """Bucket, endpoint and path of ``bucket.endpoint/path``."""
    bucket, _, rest = address.partition(".")
    endpoint, _, path = rest.partition("/")
    return bucket, endpoint, path


def _plain(values: dict[str, str]) -> list[JSONObject]:
    return [{"name": name, "value": value} for name, value in values.items()]


def _secret(variable: str, secret: str, key: str) -> JSONObject:
    return {"name": variable, "valueFrom": {"secretKeyRef": {"name": secret, "key": key, "optional": True}}}
