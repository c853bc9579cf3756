"""How the LLMKube operator of a cluster is set up: its version and its flags, each with where that is known from.

What the configuration says wins over the flags of the operator's Deployment, which win over upstream's defaults; where neither says which
version it is, the installed CRDs do. Flags that aren't known here are passed over. Source: LLMKube v0.9.19, cmd/main.go; facts on the
chart's values of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, overload

from policies.config import Configuration
from policies.config.llmkube import Operator as Given
from policies.facts import Facts
from policies.families.effective import Setting
from policies.families.llmkube.subject.versions import known_version
from policies.families.upstream_versions import Version, parse_version
from policies.fields import items, part, text, texts
from policies.objects import JSONObject, JSONValue, name_of, namespace_of
from policies.request import Request

NEWEST: Final[Version] = (0, 9, 19)
UPSTREAM: Final = "upstream default"
CONFIGURATION: Final = "configuration"
INSTALLED: Final = "installed CRDs"
#: The last part of the repository of the operator's image.
_IMAGE: Final = "llmkube-controller"
_IMAGES: Final = frozenset({_IMAGE, "llmkube", "llmkube-operator"})
_CHART: Final = re.compile(r"llmkube-v?\d")
#: What stands behind the version in a tag: a platform, a build, a candidate.
_TAG_SUFFIX: Final = re.compile(r"[-_+].*")


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator's settings; the names are those of its flags. `origins` says of each that isn't upstream's where it is from."""

    version: Version = NEWEST
    runtime_images: Mapping[str, str] | None = None
    shared_pool_selector: Mapping[str, str] | None = None
    vram_per_device_gib: int = 0
    default_fs_group: int = 102
    dri_render_gid: int = 0
    allowed_host_path_roots: tuple[str, ...] = ()
    allowed_remote_hosts: tuple[str, ...] = ()
    model_cache_mode: str = "shared"
    model_cache_size: str = "100Gi"
    model_cache_storage_class: str = ""
    model_cache_access_mode: str = "ReadWriteOnce"
    model_cache_path: str = "/models"
    init_container_image: str = "docker.io/curlimages/curl:8.18.0"
    ca_cert_configmap: str = ""
    default_litellm_url: str = ""
    router_proxy_image: str = ""
    emit_scrape_annotations: bool = False
    intel_gpu_resource: str = "gpu.intel.com/i915"
    quota_webhook: bool = False
    origins: tuple[tuple[str, str], ...] = ()

    def since(self, *version: int) -> bool:
        """Whether the operator behaves as from this version on."""
        return self.version >= version

    def origin(self, name: str) -> str:
        """Where a setting is known from."""
        return dict(self.origins).get(name, UPSTREAM)

    @property
    def name(self) -> str:
        """The version in words: ``LLMKube v0.9.19``."""
        return f"LLMKube v{'.'.join(map(str, self.version))}"

    def settings(self) -> Sequence[Setting]:
        """All settings with their origins; made when they are looked at, which only reports do."""
        return _Settings(self)


@dataclass(frozen=True, slots=True)
class _Settings(Sequence[Setting]):
    """The settings of an operator, each made when it is looked at."""

    operator: Operator

    @overload
    def __getitem__(self, index: int) -> Setting: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Setting]: ...

    def __getitem__(self, index: int | slice) -> Setting | Sequence[Setting]:
        names = _NAMES[index]
        return self._made(names) if isinstance(names, str) else tuple(map(self._made, names))

    def __len__(self) -> int:
        return len(_NAMES)

    def _made(self, name: str) -> Setting:
        return Setting(_FLAGS.get(name, name), _plain(getattr(self.operator, name)), self.operator.origin(name))


_GIVEN: Final = tuple(field.name for field in fields(Given))
_NAMES: Final = tuple(field.name for field in fields(Operator) if field.name != "origins")
#: The flag of each setting; what isn't here has none.
_FLAGS: Final = {
    "runtime_images": "--runtime-images",
    "shared_pool_selector": "--gpu-sharing-shared-pool-selector",
    "vram_per_device_gib": "--gpu-sharing-vram-per-device-gib",
    "default_fs_group": "--default-fsgroup",
    "dri_render_gid": "--dri-render-gid",
    "allowed_host_path_roots": "--allowed-host-path-roots",
    "allowed_remote_hosts": "--allowed-remote-hosts",
    "model_cache_mode": "--model-cache-mode",
    "model_cache_size": "--model-cache-size",
    "model_cache_storage_class": "--model-cache-storage-class",
    "model_cache_access_mode": "--model-cache-access-mode",
    "model_cache_path": "--model-cache-path",
    "init_container_image": "--init-container-image",
    "ca_cert_configmap": "--ca-cert-configmap",
    "default_litellm_url": "--default-litellm-url",
    "router_proxy_image": "--router-proxy-image",
    "emit_scrape_annotations": "--emit-scrape-annotations",
    "intel_gpu_resource": "LLMKUBE_INTEL_GPU_RESOURCE",
}
_BY_FLAG: Final = {flag: name for name, flag in _FLAGS.items()}
_MAPS: Final = frozenset({"runtime_images", "shared_pool_selector"})
_LISTS: Final = frozenset({"allowed_host_path_roots", "allowed_remote_hosts"})
_NUMBERS: Final = frozenset({"vram_per_device_gib", "default_fs_group", "dri_render_gid"})
_SWITCHES: Final = frozenset({"emit_scrape_annotations"})


def operator_of(facts: Facts, config: Configuration) -> Operator:
    """The operator that the cluster has, as far as it is known."""
    settings: dict[str, Any] = {}
    origins: dict[str, str] = {}
    deployment = _deployment(facts)
    if deployment is not None:
        _take(settings, origins, _of_deployment(deployment), f"Deployment {namespace_of(deployment)}/{name_of(deployment)}")
    given = config.llmkube.operator
    _take(settings, origins, {name: getattr(given, name) for name in _GIVEN}, CONFIGURATION)
    version = parse_version(config.llmkube.version or "")
    if version is not None:
        settings["version"], origins["version"] = version, CONFIGURATION
    elif "version" not in settings and (installed := known_version(facts.definitions)) is not None:
        settings["version"], origins["version"] = installed, INSTALLED
    return Operator(**settings, origins=tuple(sorted(origins.items())))


def operator_for(request: Request, facts: Facts, config: Configuration) -> Operator:
    """The same, looked for once for all that is asked about a request."""
    return request.once(operator_of, lambda: operator_of(facts, config))


def kept_of(deployment: JSONObject) -> JSONObject | None:
    """What is read of a Deployment of the cluster: of the operator's the image and the flags, of any other nothing."""
    container = _container(deployment)
    if container is None:
        return None
    kept: JSONObject = {key: container[key] for key in ("name", "image", "command", "args") if key in container}
    kept["env"] = [entry for entry in items(container, "env") if text(entry, "name") in _BY_FLAG]
    return {**deployment, "spec": {"template": {"spec": {"containers": [kept]}}}, "status": {}}


def _take(settings: dict[str, Any], origins: dict[str, str], found: Mapping[str, Any], origin: str) -> None:
    for name, value in found.items():
        if value is not None:
            settings[name] = tuple(value) if isinstance(value, list) else value
            origins[name] = origin


def _deployment(facts: Facts) -> JSONObject | None:
    """The Deployment of the operator, by its image or its labels; looked for once, since a cluster has thousands of Deployments."""
    return min(facts.objects.where("apps", "Deployment", _runs_operator, True), key=_likeness, default=None)


def _likeness(deployment: JSONObject) -> int:
    """How sure it is that a Deployment is the operator's, the least for the surest: others have images of similar names."""
    name = _repository(text(_container(deployment) or {}, "image"))[0]
    return 0 if name == _IMAGE else 1 if _is_labelled(deployment) else 2


def _runs_operator(deployment: JSONObject) -> bool:
    return _container(deployment) is not None


def _container(deployment: JSONObject) -> JSONObject | None:
    """The container that runs the operator: by its image, or where a mirror has renamed that by what the chart calls the rest."""
    containers = items(deployment, "spec", "template", "spec", "containers")
    found = next((found for found in containers if _repository(text(found, "image"))[0] in _IMAGES), None)
    if found is None and _is_labelled(deployment):
        found = next((found for found in containers if text(found, "name") == "manager"), None)
    return found


def _is_labelled(deployment: JSONObject) -> bool:
    """Whether a Deployment has the labels that the chart and upstream's manifests give the operator's."""
    labels = part(deployment, "metadata", "labels")
    if text(labels, "control-plane") != "controller-manager":
        return False
    return text(labels, "app.kubernetes.io/name") == "llmkube" or _CHART.match(text(labels, "helm.sh/chart")) is not None


def _repository(image: str) -> tuple[str, str]:
    """The last part of an image's repository, and its tag."""
    name = image.rpartition("/")[2].partition("@")[0]
    repository, _, tag = name.partition(":")
    return repository, tag


def _of_deployment(deployment: JSONObject) -> dict[str, Any]:
    container = _container(deployment) or {}
    settings = _of_flags((*texts(container, "command"), *texts(container, "args")))
    for entry in items(container, "env"):
        name = _BY_FLAG.get(text(entry, "name"))
        if name is not None and text(entry, "value"):
            settings[name] = text(entry, "value")
    tag = _repository(text(container, "image"))[1]
    label = text(part(deployment, "metadata", "labels"), "app.kubernetes.io/version")
    version = parse_version(_TAG_SUFFIX.sub("", tag)) or parse_version(label)
    return settings if version is None else {**settings, "version": version}


def _of_flags(flags: tuple[str, ...]) -> dict[str, Any]:
    """Flags as Go's `flag` package takes them: ``-name=value``, ``--name=value``, ``--name value``; of one given twice the last counts."""
    settings: dict[str, Any] = {}
    for index, flag in enumerate(flags):
        dashed, equals, value = flag.partition("=")
        name = _BY_FLAG.get(f"--{dashed.lstrip('-')}") if dashed.startswith("-") else None
        if name is None:
            continue
        if not equals:
            value = "true" if name in _SWITCHES else flags[index + 1] if index + 1 < len(flags) else ""
        read = _read(name, value)
        if read is not None:
            settings[name] = read
    return settings


def _read(name: str, value: str) -> JSONValue:
    """The value of a flag; `None` where the operator wouldn't take it."""
    entries = [entry.strip() for entry in value.split(",") if entry.strip()]
    if name in _MAPS:
        return {key.strip(): held.strip() for key, _, held in (entry.partition("=") for entry in entries)}
    if name in _LISTS:
        return tuple(entries)
    if name in _NUMBERS:
        return int(value) if re.fullmatch(r"-?\d+", value) else None
    if name in _SWITCHES:
        return value.lower() in {"true", "t", "1"}
    return value


def _plain(value: Any) -> JSONValue:
    if isinstance(value, tuple):
        return "v" + ".".join(map(str, value)) if value and all(isinstance(step, int) for step in value) else list(value)
    return dict(value) if isinstance(value, Mapping) else value
