"""The containers that fetch a model before its engine starts: commands, environment and security, by version of the operator.

The commands are the operator's, word for word: they are what the pod will run. Downloads are written next to their file and renamed since
v0.9.15; sources are asked for their size rather than their ETag since v0.9.13; revisions are known since v0.9.7. Source: LLMKube
v0.9.19, internal/controller/model_storage.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.fileset import FileSet
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, download_url
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject

DOWNLOADER: Final = "model-downloader"
PREPARER: Final = "model-cache-prep"
CERTIFICATES: Final = "custom-ca-cert"

_SIGNED: Final = 'curl --aws-sigv4 "aws:amz:${AWS_REGION}:s3" -u "${AWS_ACCESS_KEY_ID}:${AWS_SECRET_ACCESS_KEY}"'
_OBJECT: Final = '"${AWS_ENDPOINT_URL}/${S3_BUCKET}/${S3_KEY}"'
_PUBLISHED: Final = 'mv "$MODEL_PATH.tmp" "$MODEL_PATH"'
_SIZE: Final = "-o /dev/null -w '%header{content-length}' 2>/dev/null || echo 0"
_CERTIFIED: Final = (
    "export LLMKUBE_CA_BUNDLE=/tmp/llmkube-ca-bundle.crt && "
    'cat /etc/ssl/certs/ca-certificates.crt /custom-certs/* > "$LLMKUBE_CA_BUNDLE" 2>/dev/null || '
    'cat /custom-certs/* > "$LLMKUBE_CA_BUNDLE" && export CURL_CA_BUNDLE="$LLMKUBE_CA_BUNDLE" && '
)
_CERTIFIED_ONLY: Final = "export CURL_CA_BUNDLE=/custom-certs/$(ls /custom-certs | grep -v '^\\.' | head -n 1) && "
_INVALID_FILES: Final = (
    'echo "ERROR: InvalidFileSet - model spec.files/spec.mmproj configuration is invalid. '
    'Check file paths, directory escapes, and glob patterns."; exit 1'
)
_NORMALIZE: Final = (
    'normalize_hf_source() { case "$1" in hf://*) src="${1#hf://}"; rev="${src#*@}"; if [ "$rev" != "$src" ]; then '
    'echo "https://huggingface.co/${src%%@*}/resolve/$rev/"; else echo "https://huggingface.co/$src/resolve/main/"; fi ;; '
    '*) echo "$1" ;; esac; } && '
)
_NORMALIZE_UNPINNED: Final = (
    'normalize_hf_source() { case "$1" in hf://*) echo "https://huggingface.co/${1#hf://}" ;; *) echo "$1" ;; esac; } && '
)


def diagnosed(container: JSONObject, operator: KnownOperator) -> JSONObject:
    """A container whose last lines of log become its message when it fails; the operator asks for that from v0.9.15."""
    return {**container, "terminationMessagePolicy": "FallbackToLogsOnError"} if operator.since(0, 9, 15) else container


def prepare(operator: KnownOperator, fs_group: int) -> JSONObject:
    """The container that makes the cache writable for the downloader; it runs as root."""
    command = f"chown 0:{fs_group} /models && chmod g+rwX /models" if fs_group > 0 else "chown 100:100 /models && chmod 770 /models"
    return {
        "name": PREPARER,
        "image": operator.init_container_image,
        "command": ["sh", "-c", command],
        "volumeMounts": [{"name": "model-cache", "mountPath": "/models"}],
        "securityContext": {
            "runAsUser": 0,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"], "add": ["CHOWN", "FOWNER"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def invalid_files(operator: KnownOperator) -> JSONObject:
    """The container that stops a pod whose Model declares files that can't be staged."""
    return {"name": DOWNLOADER, "image": operator.init_container_image, "command": ["sh", "-c", _INVALID_FILES]}


def fetch_one(
    model: JSONObject,
    service: JSONObject | None,
    operator: KnownOperator,
    source: Source,
    *,
    folder: str,
    path: str,
    mounts: list[JSONObject],
) -> JSONObject:
    """The container that fetches a model of one file to `path`; `folder` is its folder in the cache, empty without a cache."""
    env = [_variable("MODEL_SOURCE", source.text), _variable("CACHE_DIR", folder), _variable("MODEL_PATH", path)]
    if source.bucket and source.key and not source.problem:
        env += [_variable("S3_BUCKET", source.bucket), _variable("S3_KEY", source.key)]
    command = _one_file(source, operator, cached=bool(folder), revalidate=text(spec_of(model), "refreshPolicy") == "OnChange")
    return _downloader(model, service, operator, command, env, mounts)


def fetch_files(
    model: JSONObject,
    service: JSONObject | None,
    operator: KnownOperator,
    source: Source,
    files: FileSet,
    *,
    folder: str,
    cached: bool,
    mounts: list[JSONObject],
) -> JSONObject:
    """The container that stages the files of a Model in `folder`."""
    env = [
        _variable("MODEL_SOURCE", download_url(source, operator)),
        _variable("CACHE_DIR", folder),
        _variable("MODEL_FILES", "\n".join(files.files)),
    ]
    if source.bucket and source.key and not source.problem:
        env += [_variable("S3_BUCKET", source.bucket), _variable("S3_PREFIX", source.key)]
    command = _many_files(source, operator, cached=cached, revalidate=text(spec_of(model), "refreshPolicy") == "OnChange")
    return _downloader(model, service, operator, command, env, mounts)


def _downloader(
    model: JSONObject, service: JSONObject | None, operator: KnownOperator, command: str, env: list[JSONObject], mounts: list[JSONObject]
) -> JSONObject:
    if operator.ca_cert_configmap:
        command = (_CERTIFIED if operator.since(0, 9, 16) else _CERTIFIED_ONLY) + command
    container: JSONObject = {
        "name": DOWNLOADER,
        "image": operator.init_container_image,
        "command": ["sh", "-c", command],
        "env": env,
        "volumeMounts": mounts,
        "securityContext": _security(service),
    }
    if isinstance(spec_of(model).get("sourceSecretRef"), dict) and operator.since(0, 9, 6):
        name = text(part(spec_of(model), "sourceSecretRef"), "name")
        container["envFrom"] = [{"secretRef": {"name": name} if name else {}}]
    return container


def _security(service: JSONObject | None) -> JSONObject:
    """The security context: no privileges, with the user and group that the service sets for its pod."""
    context: JSONObject = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": False, "capabilities": {"drop": ["ALL"]}}
    pod = part(spec_of(service), "podSecurityContext")
    return context | {name: whole(pod, name) for name in ("runAsUser", "runAsGroup") if name in pod}


def _variable(name: str, value: str) -> JSONObject:
    # An empty value is left out of the manifest.
    return {"name": name, "value": value} if value else {"name": name}


def _one_file(source: Source, operator: KnownOperator, *, cached: bool, revalidate: bool) -> str:
    atomic = operator.since(0, 9, 15)
    made = ('mkdir -p "$CACHE_DIR" && ' + ('rm -f "$MODEL_PATH.tmp" && ' if atomic else "")) if cached else ""
    there = "already cached" if cached else "already exists"
    if source.kind is SourceKind.LOCAL:
        if not cached:
            return "echo 'ERROR: Local model source requires model cache to be configured.'; exit 1"
        copy = f'cp /host-model/model.gguf "$MODEL_PATH.tmp" && {_PUBLISHED}' if atomic else 'cp /host-model/model.gguf "$MODEL_PATH"'
        return made + _unless_there(
            "Copying model from local source...", copy, "Model copied successfully", "Model already cached, skipping copy"
        )
    done, skipped = "Model downloaded successfully", f"Model {there}, skipping download"
    if source.kind is SourceKind.BUCKET:
        return made + _unless_there(
            "Downloading model from S3...", f'{_SIGNED} -f -L -o "$MODEL_PATH.tmp" {_OBJECT} && {_PUBLISHED}', done, skipped
        )
    if revalidate:
        return made + (_revalidate_by_size() if operator.since(0, 9, 13) else _revalidate_by_etag())
    if atomic:
        return made + _unless_there(
            "Downloading model...", f'curl -f -L -o "$MODEL_PATH.tmp" "$MODEL_SOURCE" && {_PUBLISHED}', done, skipped
        )
    return made + _unless_there("Downloading model...", 'curl -f -L -o "$MODEL_PATH" "$MODEL_SOURCE"', done, skipped)


def _unless_there(doing: str, command: str, done: str, skipped: str) -> str:
    return f"if [ ! -f \"$MODEL_PATH\" ]; then echo '{doing}'; {command} && echo '{done}'; else echo '{skipped}'; fi"


def _revalidate_by_size() -> str:
    return (
        "echo 'Revalidating model against upstream (RefreshPolicy=OnChange)...'; "
        f'remote_size=$(curl -fsSL -I "$MODEL_SOURCE" {_SIZE}); '
        'if [ -f "$MODEL_PATH" ] && [ "$(stat -c %s "$MODEL_PATH" 2>/dev/null || echo 0)" = "$remote_size" ] && '
        '[ "$remote_size" != "0" ]; then echo \'Model revalidated (unchanged, skipped download)\'; else '
        f'if curl -fsSL -o "$MODEL_PATH.tmp" "$MODEL_SOURCE" && {_PUBLISHED}; then echo \'Model revalidated (downloaded)\'; '
        "elif [ -f \"$MODEL_PATH\" ]; then echo 'Revalidation unreachable; kept cached copy'; exit 0; "
        "else echo 'ERROR: model missing and revalidation failed'; exit 1; fi; fi"
    )


def _revalidate_by_etag() -> str:
    return (
        'ETAG_MARKER="$(dirname "$MODEL_PATH")/.$(basename "$MODEL_PATH").etag"; '
        "echo 'Revalidating model against upstream (RefreshPolicy=OnChange)...'; "
        'if curl -fsSL --etag-compare "$ETAG_MARKER" --etag-save "$ETAG_MARKER" -o "$MODEL_PATH" "$MODEL_SOURCE"; then '
        "echo 'Model revalidated (downloaded or unchanged)'; "
        "elif [ -f \"$MODEL_PATH\" ]; then echo 'Revalidation unreachable; kept cached copy'; exit 0; "
        "else echo 'ERROR: model missing and revalidation failed'; exit 1; fi"
    )


def _many_files(source: Source, operator: KnownOperator, *, cached: bool, revalidate: bool) -> str:
    pinned, atomic, signed = operator.since(0, 9, 7), operator.since(0, 9, 15), source.kind is SourceKind.BUCKET
    folder = '"$CACHE_DIR"' if cached else "/models"
    cleaned = f"find {folder} -name '*.tmp' -delete && " if atomic else ""
    url = '"${SOURCE%/}/$rel"' if pinned else '"${SOURCE%/}/resolve/main/$rel"'
    if signed:
        url = '"${AWS_ENDPOINT_URL}/${S3_BUCKET}/${key}"'
    key = 'key="${S3_PREFIX:+${S3_PREFIX}/}$rel"; ' if signed else ""
    curl = _SIGNED if signed else "curl"
    if not revalidate:
        one = _stage(curl, atomic=atomic)
    elif operator.since(0, 9, 13):
        one = _restage_by_size(curl, quiet=not signed)
    else:
        one = _restage_by_etag()
    return (
        f"mkdir -p {folder} && {cleaned}{_NORMALIZE if pinned else _NORMALIZE_UNPINNED}"
        'SOURCE="$(normalize_hf_source "$MODEL_SOURCE")" && '
        "printf '%s\\n' \"$MODEL_FILES\" | while IFS= read -r rel; do "
        '[ -n "$rel" ] || continue; dest="$CACHE_DIR/$rel"; mkdir -p "$(dirname "$dest")"; '
        f"{key}url={url}; {one}done"
    )


def _stage(curl: str, *, atomic: bool) -> str:
    fetch = f'{curl} -f -L -o "$dest.tmp" "$url" && mv "$dest.tmp" "$dest"' if atomic else f'{curl} -f -L -o "$dest" "$url"'
    return (
        'if [ ! -f "$dest" ]; then echo "Downloading model artifact $rel..."; '
        f'{fetch} || {{ echo "ERROR: failed to download $rel"; exit 1; }}; '
        'else echo "Model artifact $rel already cached, skipping download"; fi; '
    )


def _restage_by_size(curl: str, *, quiet: bool) -> str:
    fetch = f"{curl} {'-fsSL' if quiet else '-f -L'}"
    return (
        f'remote_size=$({curl} -fsSL -I "$url" {_SIZE}); '
        'if [ -f "$dest" ] && [ "$(stat -c %s "$dest" 2>/dev/null || echo 0)" = "$remote_size" ] && [ "$remote_size" != "0" ]; then '
        'echo "Model artifact $rel revalidated (unchanged, skipped download)"; else '
        f'if {fetch} -o "$dest.tmp" "$url" && mv "$dest.tmp" "$dest"; then echo "Model artifact $rel revalidated (downloaded)"; '
        'elif [ -f "$dest" ]; then echo "Revalidation unreachable for $rel; kept cached copy"; '
        'else echo "ERROR: model artifact $rel missing and revalidation failed"; exit 1; fi; fi; '
    )


def _restage_by_etag() -> str:
    return (
        'etag="$(dirname "$dest")/.$(basename "$dest").etag"; '
        'if curl -fsSL --etag-compare "$etag" --etag-save "$etag" -o "$dest" "$url"; then echo "Model artifact $rel revalidated"; '
        'elif [ -f "$dest" ]; then echo "Revalidation unreachable for $rel; kept cached copy"; '
        'else echo "ERROR: model artifact $rel missing and revalidation failed"; exit 1; fi; '
    )
