"""The settings of the server apart from policies: its addresses, and the limits that keep one caller from harming others.

The limits follow from kube-apiserver's own: objects of 3 MiB at most, of which a review of an UPDATE has two, and a timeout of 1 to 30
seconds in the query. Source: k8s.io/apiserver, pkg/admission/plugin/webhook.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from weighbridge.webhook.texts.logs import LogLevel

_MIB = 1024 * 1024


class ServerSettings(BaseModel):
    """The settings of one server process; they don't change while it runs."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    host: str = Field("0.0.0.0", description="address of the webhook's port; '::' takes IPv4 too")  # noqa: S104 - a Pod is reached from outside
    port: int = Field(9443, ge=0, le=65535, description="the webhook's port (TLS); 0 takes any free one")
    health_host: str | None = Field(None, description="address of the health port; by default that of the webhook")
    health_port: int = Field(9080, ge=0, le=65535, description="port of /healthz, /readyz and /metrics (plain HTTP); 0 takes any free one")
    cert_dir: Path = Field(Path("/etc/weighbridge/tls"), description="directory of tls.crt and tls.key")
    client_ca: Path | None = Field(
        None, description="CA certificates; a client's certificate must be signed by one of them. Without it clients need no certificate"
    )
    reload_seconds: float = Field(2.0, gt=0, description="seconds between two looks at the files of certificate and configuration")
    max_body: int = Field(8 * _MIB, ge=1, description="the most bytes of a request body")
    concurrency: int = Field(
        256,
        ge=1,
        description="the most calls that wait for their answer at a time, and the most bodies that arrive; further calls are sent again",
    )
    deadline: float = Field(10.0, gt=0, description="seconds that a call may take, unless the API server's timeout is shorter")
    deadline_margin: float = Field(
        0.2, ge=0, validate_default=True, description="seconds of the timeout that are kept for sending the answer"
    )
    longest_age: float = Field(600.0, gt=0, description="seconds after which facts of an unreachable cluster no longer count")
    drain_seconds: float = Field(10.0, ge=0, description="seconds for which it goes on serving after SIGTERM")
    log_level: LogLevel = Field(LogLevel.INFO, description="lowest level that is logged, as one JSON object a line on standard error")

    @field_validator("deadline_margin")
    @classmethod
    def _leaves_time(cls, margin: float, info: ValidationInfo) -> float:
        deadline = info.data.get("deadline")
        if deadline is not None and margin >= deadline:
            raise PydanticCustomError("margin", "must be less than the deadline, {deadline}", {"deadline": deadline})
        return margin

    @property
    def health_address(self) -> tuple[str, int]:
        """Host and port of the health server."""
        return (self.host if self.health_host is None else self.health_host), self.health_port
