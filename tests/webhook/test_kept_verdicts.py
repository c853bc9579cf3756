"""The process remembers the verdict of its copy as long as one of its own."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webhook.asgi import call
from tests.webhook.reviews import model, review
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.long_reviews.slowness import TakesLongError
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings


def config_map(word: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "team-a"}, "data": {"word": word}}


class _Judge:
    """Gives the text of a ConfigMap as its verdict, only in a copy of the process. It writes the judging process into a file; while `waits`
    exists, the copy waits.
    """

    def __init__(self, folder: Path, key: Callable[[], Callable[[JSONObject], Any]]) -> None:
        self._pid, self._file, self.waits, self._key = os.getpid(), folder / "judged", folder / "waits", key

    def __call__(self, request: Request, facts: Facts, config: Configuration, phase: Phase = Phase.WHOLE, **_: Any) -> Decision:
        is_copy = os.getpid() != self._pid
        with self._file.open("a") as file:
            file.write("copy\n" if is_copy else "loop\n")
        found = next(iter(facts.objects.where("", "ConfigMap", self._key(), "c")))
        if not is_copy:
            raise TakesLongError
        while self.waits.exists():
            time.sleep(0.001)
        return Decision(allowed=False, code=403, message=text(part(found, "data"), "word"))

    @property
    def judged(self) -> list[str]:
        return self._file.read_text().split()


def known() -> Callable[[JSONObject], Any]:
    """The key function of an index."""
    return name_of


def made_anew() -> Callable[[JSONObject], Any]:
    """A new function each time."""

    def name(obj: JSONObject) -> str:
        return name_of(obj)

    return name


def asked(service: Service) -> Callable[[], Any]:
    app = create_app(service)

    async def once() -> str:
        answer = await call(app, "/validate", review(model("m"), namespace="team-a"), query="timeout=10s")
        message: str = answer.json["response"]["status"]["message"]
        return message

    return once


def served(judge: _Judge) -> Service:
    facts = Facts(Definitions.from_manifests([]), objects=ObjectStore([config_map("one")]))
    return Service(ServerSettings(), facts, Configuration(), decide=judge)


@pytest.mark.parametrize("key", [known, made_anew])
def test_a_request_that_comes_again_is_not_judged_again(tmp_path: Path, key: Callable[[], Any]) -> None:
    judge = _Judge(tmp_path, key)
    service = served(judge)
    once = asked(service)

    async def test() -> None:
        is_known = key() is key()
        assert await once() == "one"
        assert judge.judged == ["loop", "copy"]
        assert await once() == "one"
        assert judge.judged == ["loop", "copy"] + ["copy"] * (not is_known)
        judged = len(judge.judged)
        service.facts.objects.put({**config_map("of another"), "metadata": {"name": "other", "namespace": "team-a"}})
        assert await once() == "one"
        assert len(judge.judged) == judged + (not is_known)
        service.facts.objects.put(config_map("two"))
        assert await once() == "two"
        assert judge.judged[-1] == "copy"

    asyncio.run(test())


@pytest.mark.parametrize("changes", ["facts", "config", "object"])
def test_what_changes_while_a_copy_judges_ends_its_verdict(tmp_path: Path, changes: str) -> None:
    judge = _Judge(tmp_path, known)
    service = served(judge)
    once = asked(service)
    judge.waits.touch()

    async def test() -> None:
        first = asyncio.ensure_future(once())
        while not judge._file.exists() or "copy" not in judge.judged:
            await asyncio.sleep(0.001)
        if changes == "config":
            service.config = Configuration()
        elif changes == "facts":
            service.facts = Facts(Definitions.from_manifests([]), objects=ObjectStore([config_map("two")]))
        else:
            service.facts.objects.put(config_map("two"))
        judge.waits.unlink()
        assert await first == "one"
        assert await once() == ("one" if changes == "config" else "two")
        assert judge.judged.count("copy") == 2

    asyncio.run(test())
