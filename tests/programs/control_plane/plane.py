"""A real Kubernetes control plane on loopback ports: etcd, kube-apiserver and, when asked for, kube-schedulers.

There are no controllers and no kubelets. So nothing collects garbage, a deleted namespace never goes away, no service account is created,
the aggregated roles (view, edit, admin) have no permissions, and a Node is what a test writes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.credentials import User, kubeconfig_text, signing_key_pem, token_file_text
from tests.programs.control_plane.flags import LOOPBACK, Layout, apiserver_flags, etcd_flags, scheduler_configuration, scheduler_flags
from tests.programs.control_plane.probes import answers_ok, body_if_ok
from tests.programs.control_plane.processes import POLL_SECONDS, ProcessGroup, Program, StartError, free_ports

START_ATTEMPTS = 5
READY_SECONDS = 60.0
SCHEDULER = "kube-scheduler"


class ControlPlane:
    """A control plane with its own data, which leaves no process and no file behind.

    Entering it starts it. `apiserver_flags` come after our own and win over them, except for flags that take lists, which add up. `data` is
    a folder from `copy_data` with which the plane begins.
    """

    def __init__(
        self, assets: Assets, *, users: Sequence[User] = (), apiserver_flags: Sequence[str] = (), data: Path | None = None
    ) -> None:
        self._assets = assets
        self._admin = User("admin", ("system:masters",))
        self._scheduler = User("system:kube-scheduler")
        self._users = tuple(users)
        self._more_apiserver_flags = list(apiserver_flags)
        self._data = data
        self._running: tuple[Layout, ProcessGroup] | None = None
        self._programs: dict[str, Program] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    @property
    def directory(self) -> Path:
        """The folder with its data and logs, until it is stopped."""
        return self._layout.directory

    @property
    def server(self) -> str:
        """The URL of kube-apiserver."""
        return self._layout.server

    @property
    def ca_file(self) -> Path:
        """The certificates to verify kube-apiserver with."""
        return self._layout.ca_file

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig whose current context is the admin's; the contexts of other users have their names."""
        return self._layout.kubeconfig

    @property
    def admin_token(self) -> str:
        """The bearer token of a user in the group system:masters."""
        return self._admin.token

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the running programs, by their names."""
        return {name: program.pid for name, program in self._programs.items() if program.pid is not None}

    def log(self, name: str) -> Path:
        """The log of a program, such as kube-apiserver."""
        return self.directory / f"{name}.log"

    def start(self) -> None:
        """Starts etcd and kube-apiserver, without data unless some was given. Raises StartError if one of them doesn't start."""
        _retrying_ports(self._start_once)

    def start_scheduler(self, name: str = SCHEDULER, settings: Mapping[str, object] | None = None, *, flags: Sequence[str] = ()) -> None:
        """Starts kube-scheduler, unless it runs. Raises StartError if it doesn't start.

        Several can run at once under different names, each with the `settings` of a KubeSchedulerConfiguration and further `flags`; each
        profile needs a unique schedulerName.
        """
        if name in self.pids:
            return
        if settings is not None:
            configuration = scheduler_configuration(self._layout, settings)
            self._layout.scheduler_configuration(name).write_text(json.dumps(configuration, indent=2), encoding="utf-8")
        _retrying_ports(lambda: self._start_scheduler_once(name, flags))

    def stop_scheduler(self, name: str = SCHEDULER) -> None:
        """Kills a kube-scheduler; does nothing if it doesn't run."""
        if name in self._programs:
            self._programs[name].kill()

    def restart_apiserver(self) -> None:
        """Kills kube-apiserver and starts it again with the same port, data and certificates.

        A polite end would first wait for watches, up to a minute.
        """
        apiserver = self._programs["kube-apiserver"]
        apiserver.kill()
        apiserver.start(lambda: self.answers_ok("/readyz"), timeout=READY_SECONDS)

    def restart_etcd(self) -> None:
        """Kills etcd and starts it again with the same data."""
        etcd, url = self._programs["etcd"], self._layout.etcd_url
        etcd.kill()
        etcd.start(lambda: answers_ok(f"{url}/health"), timeout=READY_SECONDS)

    def copy_data(self, folder: Path) -> None:
        """Copies etcd's data into a new folder, with which other planes can begin. kube-apiserver is stopped before, so the data is
        complete.
        """
        self._programs["kube-apiserver"].kill()
        self._programs["etcd"].kill()
        # etcd creates its next log in advance, under this name.
        shutil.copytree(self._layout.data, folder, ignore=shutil.ignore_patterns("*.tmp"))

    def stop(self) -> None:
        """Kills its programs and removes its directory; a second call does nothing."""
        if self._running is not None:
            self._running[1].end()
        self._running = None
        self._programs.clear()

    def answers_ok(self, path: str) -> bool:
        """Whether kube-apiserver answers the admin's GET of a path with 200; False when it doesn't run."""
        return answers_ok(f"{self.server}{path}", ca_file=self.ca_file, token=self.admin_token)

    def wait_until_ok(self, path: str, is_wanted: Callable[[bytes], bool] = lambda _: True, *, timeout: float = READY_SECONDS) -> None:
        """Returns once a GET of the path is answered with 200 and a body that is wanted. Raises TimeoutError when that doesn't happen."""
        deadline = time.monotonic() + timeout
        while True:
            body = body_if_ok(f"{self.server}{path}", ca_file=self.ca_file, token=self.admin_token)
            if body is not None and is_wanted(body):
                return
            self._programs["kube-apiserver"].check_running()
            if time.monotonic() > deadline:
                raise TimeoutError(f"GET {path} wasn't answered with {'200' if body is None else 'what is wanted'} within {timeout:.0f} s")
            time.sleep(POLL_SECONDS)

    def kubectl(
        self,
        *arguments: str,
        input: str | None = None,  # noqa: A002 - as in subprocess.run
        check: bool = False,
        timeout: float = 60.0,
    ) -> subprocess.CompletedProcess[str]:
        """Runs kubectl as the admin, or as another user with `--context=NAME`; `input` is what `-f -` reads.

        With `check`, an exit code other than 0 raises AssertionError with what kubectl said.
        """
        command = [str(self._assets["kubectl"]), *arguments]
        answer = subprocess.run(command, input=input, env=self._environ(), capture_output=True, text=True, timeout=timeout, check=False)
        if check and answer.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(arguments)}: exit code {answer.returncode}: {answer.stderr}")
        return answer

    @property
    def _layout(self) -> Layout:
        if self._running is None:
            raise RuntimeError("the control plane isn't running")
        return self._running[0]

    def _start_once(self) -> None:
        directory = Path(tempfile.mkdtemp(prefix="weighbridge-control-plane-"))
        layout = Layout(directory, *free_ports(3))
        self._running = layout, ProcessGroup(directory)
        try:
            self._write_credentials(layout)
            if self._data is not None:
                shutil.copytree(self._data, layout.data)
            self._start("etcd", etcd_flags(layout), lambda: answers_ok(f"{layout.etcd_url}/health"))
            flags = [*apiserver_flags(layout), *self._more_apiserver_flags]
            self._start("kube-apiserver", flags, lambda: self.answers_ok("/readyz"))
            # When the server is ready, the first namespaces may still be missing.
            self.wait_until_ok("/api/v1/namespaces/default")
            # If another etcd had answered on this port, ours would have ended by now.
            self._programs["etcd"].check_running()
        except BaseException:
            self.stop()
            raise

    def _start_scheduler_once(self, name: str, more_flags: Sequence[str]) -> None:
        (port,) = free_ports(1)
        url, certificates = f"https://{LOOPBACK}:{port}/readyz", self._layout.scheduler_ca_file(name)
        flags = [*scheduler_flags(self._layout, port, name), *more_flags]
        self._start(name, flags, lambda: answers_ok(url, ca_file=certificates), binary=SCHEDULER)

    def _start(self, name: str, flags: Sequence[str], is_ready: Callable[[], bool], *, binary: str | None = None) -> None:
        assert self._running is not None
        command = [str(self._assets[binary or name]), *flags]
        program = Program(command, group=self._running[1], log=self.log(name), environ=self._environ())
        self._programs[name] = program
        program.start(is_ready, timeout=READY_SECONDS)

    def _environ(self) -> dict[str, str]:
        """An environment without the user's settings: no proxies, no kubeconfig, and no cache of kubectl for other servers."""
        # With garbage collected less often, a server with all CRDs takes a quarter less CPU time to start.
        collecting = {"GOGC": "400"}
        return {"PATH": os.environ.get("PATH", ""), "HOME": str(self.directory), "KUBECONFIG": str(self.kubeconfig), **collecting}

    def _write_credentials(self, layout: Layout) -> None:
        people = [self._admin, *self._users]
        texts = {
            layout.token_file: token_file_text([*people, self._scheduler]),
            layout.signing_key: signing_key_pem(),
            layout.kubeconfig: kubeconfig_text(people, server=layout.server, ca_file=layout.ca_file),
            layout.scheduler_kubeconfig: kubeconfig_text([self._scheduler], server=layout.server, ca_file=layout.ca_file),
        }
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")


def _retrying_ports(start: Callable[[], None]) -> None:
    """Tries again with new ports if another process took one of them first."""
    for attempt in range(1, START_ATTEMPTS + 1):
        try:
            start()
        except StartError as error:
            if not error.address_in_use or attempt == START_ATTEMPTS:
                raise
        else:
            return
