"""An API server that answers by path, for code that only reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI

#: The answer for a path: an object or a page of text, an error, or a function of the object that is sent.
Reply = JSONObject | str | APIError | Callable[[JSONObject], Any]


class AnsweringAPI:
    """Answers the paths that it knows, and others with "not found". `asked` has the paths in order."""

    def __init__(self, replies: Mapping[str, Reply]) -> None:
        self._replies = replies
        self.asked: list[str] = []

    @property
    def api(self) -> KubernetesAPI:
        """Itself, with the type of the real one."""
        return cast(KubernetesAPI, self)

    def _reply(self, path: str) -> Any:
        self.asked.append(path)
        found = self._replies.get(path, APIError(404, "NotFound", f"{path} isn't there"))
        if isinstance(found, APIError):
            raise found
        return found

    async def get(self, path: str, **query: str | int) -> JSONObject:
        """Gives an object."""
        return cast(JSONObject, self._reply(path))

    async def text(self, path: str) -> str:
        """Gives a page."""
        return cast(str, self._reply(path))

    async def ask(self, path: str, obj: JSONObject, **query: str) -> tuple[JSONObject, list[str]]:
        """The answer to an object that is sent, and the warnings."""
        return cast(tuple[JSONObject, list[str]], self._reply(path)(obj))
