"""Read-only calls to one cluster's API server: lists in pages, and watches as streams of events.

The Kubernetes client brings connections, TLS, kubeconfigs with exec plugins, and the service account's token, which it reads again each
minute. Bodies are read here as plain maps, since its typed models take several times the time and memory.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Self

import aiohttp
import orjson
import yaml
from kubernetes.aio import config as kube_config
from kubernetes.aio.client import ApiClient, Configuration
from kubernetes.aio.client.exceptions import ApiException
from kubernetes.aio.client.rest import RESTClientObject

from weighbridge.certs.regular_file import irregular
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.json_text import loads_as_server, nests_too_deep

#: Objects in one page of a list: enough to need few calls, few enough that a page of the largest objects is some megabytes.
PAGE: Final = 100
#: A watch is dead if the server hasn't ended it so long after the requested time.
_OVERDUE_SECONDS: Final = 30.0
#: A silent connection is probed after the first number of seconds, then at the second interval; the third is how many unanswered probes end
#: it. The watch of a kind that doesn't change sends nothing, not even bookmarks, so silence alone means nothing.
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
#: The reason of an APIError if no answer came in time.
TIMEOUT: Final = "Timeout"
_CONNECT_SECONDS: Final = 10.0
_IN_TIME: Final = aiohttp.ClientTimeout(total=60.0, connect=_CONNECT_SECONDS)
_REFRESH_SECONDS: Final = 60
_CONTENT_TYPES: Final = {"PATCH": "application/apply-patch+yaml"}
_HEADERS: Final = {"Accept": "application/json"}
#: Also the field manager of writes that name none.
_USER_AGENT: Final = "weighbridge"


class APIError(Exception):
    """The API server couldn't be reached, or it refused the request; `status` is 0 if there was no answer."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"{status} {reason}: {message}" if status else message)
        self.status = status
        self.reason = reason


class _Connections(RESTClientObject):
    """The client's connections, with keepalive, so that one that dies while it is silent is noticed.

    Source: k8s.io/client-go transport/cache.go.
    """

    def _create_connector(self) -> aiohttp.TCPConnector:
        return aiohttp.TCPConnector(limit=self.maxsize, ssl=self.ssl_context, socket_factory=_probed)


def _probed(address: tuple[Any, ...]) -> socket.socket:
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        # Not every system has all of these options.
        if option := getattr(socket, name, None):
            made.setsockopt(socket.IPPROTO_TCP, option, value)
    return made


class KubernetesAPI:
    """One cluster. Reading and watching send only GET; `send` is for `weighbridge.webhook.cluster.writes`."""

    def __init__(self, client: ApiClient, loader: Any = None) -> None:
        self._client = client
        client.user_agent = _USER_AGENT
        client.rest_client = _Connections(client.configuration)
        self._refreshing = asyncio.ensure_future(_refresh(loader, client.configuration)) if loader is not None else None

    @classmethod
    async def connect(cls, kubeconfig: str | None = None, context: str | None = None, *, only_regular: bool = False) -> Self:
        """The cluster of a kubeconfig, or the one that this process runs in. Raises InputError.

        Without `kubeconfig` a Pod's service account is used if there is one, else KUBECONFIG or ~/.kube/config. With `only_regular` these
        must be regular files, for callers that read them again.
        """
        configuration: Any = type.__call__(Configuration)
        # The caller decides when to try again. `False` and 0 would repeat what a server answers with 5xx for as long as it does.
        configuration.retries = None
        if kubeconfig is None and context is None and os.environ.get("KUBERNETES_SERVICE_HOST"):
            try:
                kube_config.load_incluster_config(client_configuration=configuration)
            except kube_config.ConfigException as error:
                raise InputError(f"the Pod's service account: {error}") from None
            return cls(ApiClient(configuration))
        where = kubeconfig or os.environ.get("KUBECONFIG") or "~/.kube/config"
        modes = _modes(os.path.expanduser(path) for path in where.split(os.pathsep) if path)
        if not modes:
            raise InputError(f"{where}: no such kubeconfig; --kubeconfig FILE names another")
        wrong = next(filter(None, map(irregular, modes)), "") if only_regular else ""
        if wrong:
            raise InputError(f"{where}: {wrong}; a kubeconfig is read more than once here and must be a regular file")
        try:
            loader = await kube_config.load_kube_config(
                os.path.expanduser(where), context, client_configuration=configuration, persist_config=False
            )
        except OSError as error:
            raise InputError(f"{where}: can't be read ({error.strerror}); a kubeconfig that this user may read is needed") from None
        except (kube_config.ConfigException, yaml.YAMLError) as error:
            raise InputError(f"{where}: no usable kubeconfig: {' '.join(str(error).split())}") from None
        except Exception:
            # The loader can raise any exception, depending on the file's content, and its text doesn't help.
            raise InputError(f"{where}: no usable kubeconfig; wanted a map with clusters, users, contexts and current-context") from None
        return cls(ApiClient(configuration), loader)

    async def close(self) -> None:
        """Close all connections."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        await self._client.close()

    async def get(self, path: str, **query: str | int) -> JSONObject:
        """One answer. Raises APIError."""
        async with self._opened(path, query) as response:
            return await _object(path, response)

    async def text(self, path: str) -> str:
        """An answer that isn't JSON, such as metrics. Raises APIError."""
        async with self._opened(path, {}) as response:
            return (await response.read()).decode("utf-8", "replace")

    async def send(self, method: str, path: str, body: JSONObject, **query: str | int) -> JSONObject:
        """Write one object; a PATCH is a server-side apply. Raises APIError."""
        async with self._opened(path, query, method, body) as response:
            return await _object(path, response)

    async def ask(self, path: str, body: JSONObject, **query: str | int) -> tuple[JSONObject, list[str]]:
        """The answer to a POST that stores nothing, and the warnings that came with it. Raises APIError."""
        async with self._opened(path, query, "POST", body) as response:
            return await _object(path, response), response.headers.getall("Warning", [])

    async def pages(self, path: str, **narrowed: str) -> AsyncIterator[JSONObject]:
        """The pages of a list, each a list object. Raises APIError, with 410 if the list has become too old to continue."""
        query: dict[str, str | int] = {"limit": PAGE, **narrowed}
        while True:
            page = await self.get(path, **query)
            yield page
            following = (page.get("metadata") or {}).get("continue")
            if not following:
                return
            query["continue"] = following

    async def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        """The events of a watch as they come, until the server ends it; an empty event at first means that it has begun. Raises APIError.

        `timeoutSeconds` of the query is the time after which the server ends it.
        """
        seconds = query.get("timeoutSeconds")
        timeout = aiohttp.ClientTimeout(total=float(seconds) + _OVERDUE_SECONDS if seconds else None, connect=_CONNECT_SECONDS)
        async with self._opened(path, {"watch": 1, **query}, timeout=timeout) as response:
            yield {}
            async for line in response.content:
                try:
                    event = await _read(line)
                except ValueError:
                    raise APIError(0, "", f"{path}: the watch broke off within an event") from None
                if isinstance(event, dict):
                    yield event

    @asynccontextmanager
    async def _opened(
        self,
        path: str,
        query: dict[str, str | int],
        method: str = "GET",
        body: JSONObject | None = None,
        timeout: aiohttp.ClientTimeout = _IN_TIME,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """An answer whose body isn't read yet. Failures of connections and names, and timeouts, become APIError."""
        try:
            sent = {**_HEADERS, **({"Content-Type": _CONTENT_TYPES.get(method, "application/json")} if body is not None else {})}
            method, url, headers, content, _ = await self._client.param_serialize(
                method, path, query_params=list(query.items()), header_params=sent, body=body, auth_settings=["BearerToken"]
            )
            answer = await self._client.call_api(method, url, headers, content, _request_timeout=timeout)
            response: aiohttp.ClientResponse = answer.response
            try:
                if response.status >= 400:
                    raise await _refused(response)
                yield response
            finally:
                response.close()
        except ApiException as error:
            raise APIError(error.status or 0, error.reason or "", f"{path}: {error.reason}") from None
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            reason = TIMEOUT if _is_timeout(error) or _is_timeout(error.__cause__) else ""
            raise APIError(0, reason, f"{path}: {str(error) or (reason and 'no answer in time') or type(error).__name__}") from None


def _is_timeout(error: BaseException | None) -> bool:
    return isinstance(error, TimeoutError) or (isinstance(error, OSError) and error.errno == errno.ETIMEDOUT)


async def _read(text: bytes) -> JSONValue:
    """A JSON text. Raises ValueError."""
    try:
        value: JSONValue = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if not nests_too_deep(error):
            raise
        # NB: users may store objects that nest deeper than orjson reads. A single one would end the watch of its kind, and every list of
        # it. Reading one takes a second or two for each megabyte, in a thread of its own.
        return await asyncio.to_thread(loads_as_server, text)
    return value


async def _object(path: str, response: aiohttp.ClientResponse) -> JSONObject:
    try:
        answer = await _read(await response.read())
    except ValueError:
        raise APIError(0, "", f"{path}: the answer isn't JSON") from None
    if not isinstance(answer, dict):
        raise APIError(0, "", f"{path}: the answer isn't an object")
    return answer


def _modes(paths: Iterable[str]) -> list[int]:
    """The modes of the existing files."""
    modes = []
    for path in paths:
        with suppress(OSError):
            modes.append(os.stat(path).st_mode)
    return modes


async def _refused(response: aiohttp.ClientResponse) -> APIError:
    """The error from the Status object in an answer."""
    message, reason = "", response.reason or ""
    with suppress(ValueError):
        status = orjson.loads(await response.read())
        if isinstance(status, dict):
            message, reason = str(status.get("message", "")), str(status.get("reason") or reason)
    return APIError(response.status, reason, message or reason)


async def _refresh(loader: Any, configuration: Configuration) -> None:
    """Keep the credentials of exec plugins fresh as long as this runs; other credentials don't need it."""
    await kube_config.refresh_token(loader, configuration, _REFRESH_SECONDS)
