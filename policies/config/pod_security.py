"""The section `podSecurity`: the configuration of the API server's plugin PodSecurity, which no object of a cluster shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field

if TYPE_CHECKING:
    from weighbridge.policies.pods.security.standard import PluginSettings

Level = Literal["privileged", "baseline", "restricted"]


@dataclass(frozen=True)
class PodSecurityDefaults:
    """The standards of namespaces whose labels name none."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    enforce: Level = "privileged"
    """the level whose breach refuses a pod"""
    enforce_version: str = "latest"
    """the version of its checks, latest or v1.N"""
    warn: Level = "privileged"
    """the level whose breach leads to a warning"""
    warn_version: str = "latest"
    """the version of its checks"""
    audit: Level = "privileged"
    """the level whose breach is written into the audit log"""
    audit_version: str = "latest"
    """the version of its checks"""


@dataclass(frozen=True)
class PodSecurityExemptions:
    """The pods that aren't checked."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    namespaces: list[str] = field(default_factory=list)
    """namespaces whose pods aren't checked"""
    runtime_classes: list[str] = field(default_factory=list)
    """runtime classes whose pods aren't checked"""


@dataclass(frozen=True)
class PodSecurity:
    """The configuration of the plugin, as in the AdmissionConfiguration of the API server."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    defaults: PodSecurityDefaults = field(default_factory=PodSecurityDefaults)
    """the standards of namespaces whose labels name none"""
    exemptions: PodSecurityExemptions = field(default_factory=PodSecurityExemptions)
    """what isn't checked"""

    @cached_property
    def settings(self) -> PluginSettings:
        """The section in the form that the checks use."""
        from weighbridge.policies.pods.security.standard import PluginSettings, Standard, Standards

        given, exempt = self.defaults, self.exemptions
        standards = Standards(
            Standard(given.enforce, given.enforce_version),
            Standard(given.warn, given.warn_version),
            Standard(given.audit, given.audit_version),
        )
        return PluginSettings(standards, frozenset(exempt.namespaces), frozenset(exempt.runtime_classes))

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The mistakes: versions that can't be meant."""
        from weighbridge.policies.pods.security.standard import is_version

        for mode in ("enforce", "warn", "audit"):
            version = getattr(self.defaults, f"{mode}_version")
            if not is_version(version):
                yield (
                    (*path, "defaults", f"{mode}Version"),
                    f"{version[:64]!r} isn't a version of the standards; write latest, or such as v1.37",
                )
