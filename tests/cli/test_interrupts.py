"""A signal ends the command line as it ends any program, without a message, whatever it interrupts."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
import uvloop

from weighbridge.webhook.server.signals import stop_signals

MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: hf://org/model}\n"
#: The command line names a namespace, so that click reads it.
LINT: Final = ("lint", "-n", "shop")
#: Runs the program as its script does, and watches every import.
_PROGRAM: Final = """\
import os, signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            {action}

sys.meta_path.insert(0, Finder)
if not {is_ignored}:
    # A test run in the background may have inherited that interrupts are ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[1:] = {arguments!r}
from weighbridge.webhook.cli.main import main
sys.exit(main())
"""


def _program(module: str, action: str, *arguments: str, is_ignored: bool = False) -> list[str]:
    return [sys.executable, "-c", _PROGRAM.format(module=module, action=action, arguments=list(arguments), is_ignored=is_ignored)]


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A manifest."""
    (tmp_path / "model.yaml").write_text(MODEL)
    return str(tmp_path / "model.yaml")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module",
    [
        "weighbridge.webhook.cli.plain",
        "click",
        "weighbridge.webhook.texts.streams",
        "weighbridge.webhook.cli.lint",
        "yaml",
        "weighbridge.policies.families.llmkube.family",
    ],
)
def test_signal_that_strikes_an_import_ends_it_silently(model: str, module: str, number: signal.Signals) -> None:
    # Modules from the cache folder are found before the watched imports.
    environ = os.environ | {"WEIGHBRIDGE_CACHE": "off"}
    command = _program(module, f"signal.raise_signal({int(number)})", *LINT, model)
    done = subprocess.run(command, capture_output=True, timeout=60, env=environ)
    assert (done.returncode, done.stdout, done.stderr) == (-number, b"", b"")


def test_interrupt_ends_it_silently_at_any_time(model: str) -> None:
    for milliseconds in range(0, 240, 10):
        command = _program("click", 'os.write(1, b"begun")', *LINT, model)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.read(5) == b"begun"
            time.sleep(milliseconds / 1000)
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=60)
        assert (process.returncode, complaints) in {(-signal.SIGINT, b""), (0, b"")}


@pytest.mark.parametrize("module", ["uvicorn", "weighbridge.webhook.server.process", "weighbridge.webhook.server.sockets"])
def test_server_that_is_interrupted_before_it_serves_ends_silently(tmp_path: Path, module: str) -> None:
    where = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", str(tmp_path), "--self-signed", "127.0.0.1")
    done = subprocess.run(_program(module, "signal.raise_signal(2)", "serve", *where), capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_signals_do_after_serving_what_they_did_before() -> None:
    async def serve() -> None:
        with stop_signals():
            assert signal.getsignal(signal.SIGINT) is not before

    def before(number: int, _frame: FrameType | None) -> None:
        raise AssertionError(number)

    former = signal.signal(signal.SIGINT, before)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())
        assert signal.getsignal(signal.SIGINT) is before
    finally:
        signal.signal(signal.SIGINT, former)


def test_interrupt_that_is_ignored_stays_so(model: str) -> None:
    command = _program("click", "signal.raise_signal(2)", *LINT, model, is_ignored=True)
    done = subprocess.run(["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_first_process_of_a_container_is_ended_too(model: str) -> None:
    alone = ["unshare", "--map-root-user", "--pid", "--fork"]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this machine makes no namespaces of processes")
    done = subprocess.run([*alone, *_program("yaml", "signal.raise_signal(2)", *LINT, model)], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
