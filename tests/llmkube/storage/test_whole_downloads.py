"""The whole containers that fetch a model: for each kind of source the command by version, the environment, and the security context."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.storage.download import fetch_files, fetch_one, invalid_files, prepare
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.llmkube.subject.source import parse
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.objects import JSONObject

URL = "https://example.com/a.gguf"
BUCKET = "s3://b/k/a.gguf"
LOCAL = "/models/a.gguf"
HUB = "hf://o/n"
MOUNTS: list[JSONObject] = [{"name": "model-cache", "mountPath": "/models"}]
SIGNED = 'curl --aws-sigv4 "aws:amz:${AWS_REGION}:s3" -u "${AWS_ACCESS_KEY_ID}:${AWS_SECRET_ACCESS_KEY}"'
MADE = 'mkdir -p "$CACHE_DIR" && '
CLEAN = 'rm -f "$MODEL_PATH.tmp" && '
UNLESS = 'if [ ! -f "$MODEL_PATH" ]; then '
MOVE = 'mv "$MODEL_PATH.tmp" "$MODEL_PATH"'
ATOMIC = f'{UNLESS}echo \'Downloading model...\'; curl -f -L -o "$MODEL_PATH.tmp" "$MODEL_SOURCE" && {MOVE}'
IN_PLACE = f'{UNLESS}echo \'Downloading model...\'; curl -f -L -o "$MODEL_PATH" "$MODEL_SOURCE"'
S3 = (
    f"{UNLESS}echo 'Downloading model from S3...'; {SIGNED} -f -L "
    f'-o "$MODEL_PATH.tmp" "${{AWS_ENDPOINT_URL}}/${{S3_BUCKET}}/${{S3_KEY}}" && {MOVE}'
)
CACHED = " && echo 'Model downloaded successfully'; else echo 'Model already cached, skipping download'; fi"
EXISTS = " && echo 'Model downloaded successfully'; else echo 'Model already exists, skipping download'; fi"
COPIED = " && echo 'Model copied successfully'; else echo 'Model already cached, skipping copy'; fi"
COPY = f"{UNLESS}echo 'Copying model from local source...'; cp /host-model/model.gguf"
SIZE = "-o /dev/null -w '%header{content-length}' 2>/dev/null || echo 0"
REVALIDATING = "echo 'Revalidating model against upstream (RefreshPolicy=OnChange)...'; "
KEPT = "elif [ -f \"$MODEL_PATH\" ]; then echo 'Revalidation unreachable; kept cached copy'; exit 0; "
MISSING = "else echo 'ERROR: model missing and revalidation failed'; exit 1; fi"
BY_SIZE = (
    f'{REVALIDATING}remote_size=$(curl -fsSL -I "$MODEL_SOURCE" {SIZE}); '
    'if [ -f "$MODEL_PATH" ] && [ "$(stat -c %s "$MODEL_PATH" 2>/dev/null || echo 0)" = "$remote_size" ] && '
    '[ "$remote_size" != "0" ]; then echo \'Model revalidated (unchanged, skipped download)\'; else '
    f'if curl -fsSL -o "$MODEL_PATH.tmp" "$MODEL_SOURCE" && {MOVE}; then echo \'Model revalidated (downloaded)\'; '
    f"{KEPT}{MISSING}; fi"
)
BY_ETAG = (
    f'ETAG_MARKER="$(dirname "$MODEL_PATH")/.$(basename "$MODEL_PATH").etag"; {REVALIDATING}'
    'if curl -fsSL --etag-compare "$ETAG_MARKER" --etag-save "$ETAG_MARKER" -o "$MODEL_PATH" "$MODEL_SOURCE"; then '
    f"echo 'Model revalidated (downloaded or unchanged)'; {KEPT}{MISSING}"
)

BESIDES_THE_SYSTEMS = (
    "export LLMKUBE_CA_BUNDLE=/tmp/llmkube-ca-bundle.crt && "
    'cat /etc/ssl/certs/ca-certificates.crt /custom-certs/* > "$LLMKUBE_CA_BUNDLE" 2>/dev/null || '
    'cat /custom-certs/* > "$LLMKUBE_CA_BUNDLE" && export CURL_CA_BUNDLE="$LLMKUBE_CA_BUNDLE" && '
)


def a_model(source: str, **spec: Any) -> JSONObject:
    return {"kind": "Model", "metadata": {"name": "m", "namespace": "ns"}, "spec": {"source": source, **spec}}


def one(model: JSONObject, operator: KnownOperator, *, cached: bool = True, service: JSONObject | None = None) -> JSONObject:
    source = parse(model["spec"]["source"], operator)
    return fetch_one(model, service, operator, source, folder="/models/k" if cached else "", path="/models/k/m.gguf", mounts=MOUNTS)


def many(model: JSONObject, operator: KnownOperator, *, cached: bool = True) -> JSONObject:
    source = parse(model["spec"]["source"], operator)
    return fetch_files(model, None, operator, source, file_set(model), folder="/models/k", cached=cached, mounts=MOUNTS)


@pytest.mark.parametrize(
    ("source", "refresh", "version", "cached", "command"),
    [
        (URL, "", (0, 9, 15), True, f"{MADE}{CLEAN}{ATOMIC}{CACHED}"),
        (URL, "", (0, 9, 15), False, f"{ATOMIC}{EXISTS}"),
        (URL, "Never", (0, 9, 14), True, f"{MADE}{IN_PLACE}{CACHED}"),
        (URL, "", (0, 9, 14), False, f"{IN_PLACE}{EXISTS}"),
        (URL, "OnChange", (0, 9, 15), True, f"{MADE}{CLEAN}{BY_SIZE}"),
        (URL, "OnChange", (0, 9, 13), False, BY_SIZE),
        (URL, "OnChange", (0, 9, 13), True, f"{MADE}{BY_SIZE}"),
        (URL, "OnChange", (0, 9, 12), True, f"{MADE}{BY_ETAG}"),
        (URL, "OnChange", (0, 9, 12), False, BY_ETAG),
        (BUCKET, "", (0, 9, 15), True, f"{MADE}{CLEAN}{S3}{CACHED}"),
        (BUCKET, "OnChange", (0, 9, 19), False, f"{S3}{EXISTS}"),
        (LOCAL, "", (0, 9, 15), True, f'{MADE}{CLEAN}{COPY} "$MODEL_PATH.tmp" && {MOVE}{COPIED}'),
        (LOCAL, "OnChange", (0, 9, 14), True, f'{MADE}{COPY} "$MODEL_PATH"{COPIED}'),
        (LOCAL, "", (0, 9, 19), False, "echo 'ERROR: Local model source requires model cache to be configured.'; exit 1"),
    ],
)
def test_one_file_is_fetched_by(source: str, refresh: str, version: Version, cached: bool, command: str) -> None:
    found = one(a_model(source, refreshPolicy=refresh), KnownOperator(version=version), cached=cached)
    assert found["command"] == ["sh", "-c", command]


NORMALIZE = (
    'normalize_hf_source() { case "$1" in hf://*) src="${1#hf://}"; rev="${src#*@}"; if [ "$rev" != "$src" ]; then '
    'echo "https://huggingface.co/${src%%@*}/resolve/$rev/"; else echo "https://huggingface.co/$src/resolve/main/"; fi ;; '
    '*) echo "$1" ;; esac; } && '
)
UNPINNED = 'normalize_hf_source() { case "$1" in hf://*) echo "https://huggingface.co/${1#hf://}" ;; *) echo "$1" ;; esac; } && '
EACH = (
    'SOURCE="$(normalize_hf_source "$MODEL_SOURCE")" && printf \'%s\\n\' "$MODEL_FILES" | while IFS= read -r rel; do '
    '[ -n "$rel" ] || continue; dest="$CACHE_DIR/$rel"; mkdir -p "$(dirname "$dest")"; '
)
FROM_HUB = 'url="${SOURCE%/}/$rel"; '
FROM_MAIN = 'url="${SOURCE%/}/resolve/main/$rel"; '
FROM_BUCKET = 'key="${S3_PREFIX:+${S3_PREFIX}/}$rel"; url="${AWS_ENDPOINT_URL}/${S3_BUCKET}/${key}"; '
TMP = "find {} -name '*.tmp' -delete && "
UNREACHABLE = 'elif [ -f "$dest" ]; then echo "Revalidation unreachable for $rel; kept cached copy"; '
GONE = 'else echo "ERROR: model artifact $rel missing and revalidation failed"; exit 1; '
RESTAGE_BY_ETAG = (
    'etag="$(dirname "$dest")/.$(basename "$dest").etag"; if curl -fsSL --etag-compare "$etag" --etag-save "$etag" -o "$dest" "$url"; '
    f'then echo "Model artifact $rel revalidated"; {UNREACHABLE}{GONE}fi; done'
)


def staged(fetch: str) -> str:
    return (
        f'if [ ! -f "$dest" ]; then echo "Downloading model artifact $rel..."; {fetch} || '
        '{ echo "ERROR: failed to download $rel"; exit 1; }; else echo "Model artifact $rel already cached, skipping download"; fi; done'
    )


def restaged(curl: str, fetch: str) -> str:
    return (
        f'remote_size=$({curl} -fsSL -I "$url" {SIZE}); '
        'if [ -f "$dest" ] && [ "$(stat -c %s "$dest" 2>/dev/null || echo 0)" = "$remote_size" ] && [ "$remote_size" != "0" ]; then '
        'echo "Model artifact $rel revalidated (unchanged, skipped download)"; else '
        f'if {fetch} -o "$dest.tmp" "$url" && mv "$dest.tmp" "$dest"; then echo "Model artifact $rel revalidated (downloaded)"; '
        f"{UNREACHABLE}{GONE}fi; fi; done"
    )


MKDIR = 'mkdir -p "$CACHE_DIR" && '
STAGED = staged('curl -f -L -o "$dest.tmp" "$url" && mv "$dest.tmp" "$dest"')
STAGED_IN_PLACE = staged('curl -f -L -o "$dest" "$url"')
STAGED_SIGNED = staged(f'{SIGNED} -f -L -o "$dest.tmp" "$url" && mv "$dest.tmp" "$dest"')
RESTAGED = restaged("curl", "curl -fsSL")
RESTAGED_SIGNED = restaged(SIGNED, f"{SIGNED} -f -L")
IN_CACHE = TMP.format('"$CACHE_DIR"')
IN_POD = TMP.format("/models")


@pytest.mark.parametrize(
    ("source", "refresh", "version", "cached", "command"),
    [
        (HUB, "", (0, 9, 15), True, f"{MKDIR}{IN_CACHE}{NORMALIZE}{EACH}{FROM_HUB}{STAGED}"),
        (HUB, "", (0, 9, 15), False, f"mkdir -p /models && {IN_POD}{NORMALIZE}{EACH}{FROM_HUB}{STAGED}"),
        (HUB, "", (0, 9, 14), True, f"{MKDIR}{NORMALIZE}{EACH}{FROM_HUB}{STAGED_IN_PLACE}"),
        (HUB, "", (0, 9, 7), False, f"mkdir -p /models && {NORMALIZE}{EACH}{FROM_HUB}{STAGED_IN_PLACE}"),
        (HUB, "", (0, 9, 6), True, f"{MKDIR}{UNPINNED}{EACH}{FROM_MAIN}{STAGED_IN_PLACE}"),
        (HUB, "OnChange", (0, 9, 15), True, f"{MKDIR}{IN_CACHE}{NORMALIZE}{EACH}{FROM_HUB}{RESTAGED}"),
        (HUB, "OnChange", (0, 9, 13), True, f"{MKDIR}{NORMALIZE}{EACH}{FROM_HUB}{RESTAGED}"),
        (HUB, "OnChange", (0, 9, 12), True, f"{MKDIR}{NORMALIZE}{EACH}{FROM_HUB}{RESTAGE_BY_ETAG}"),
        (BUCKET, "", (0, 9, 16), True, f"{MKDIR}{IN_CACHE}{NORMALIZE}{EACH}{FROM_BUCKET}{STAGED_SIGNED}"),
        (BUCKET, "OnChange", (0, 9, 16), True, f"{MKDIR}{IN_CACHE}{NORMALIZE}{EACH}{FROM_BUCKET}{RESTAGED_SIGNED}"),
    ],
)
def test_several_files_are_staged_by(source: str, refresh: str, version: Version, cached: bool, command: str) -> None:
    found = many(a_model(source, refreshPolicy=refresh, files=["a"]), KnownOperator(version=version), cached=cached)
    assert found["command"] == ["sh", "-c", command]


def test_a_downloader_is_told_what_it_fetches_and_has_no_privileges() -> None:
    context = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": False, "capabilities": {"drop": ["ALL"]}}
    operator = KnownOperator(init_container_image="curl:1")
    found = one(a_model(BUCKET, sourceSecretRef={"name": "s"}), operator, cached=False)
    assert {key: value for key, value in found.items() if key != "command"} == {
        "name": "model-downloader",
        "image": "curl:1",
        "env": [
            {"name": "MODEL_SOURCE", "value": BUCKET},
            {"name": "CACHE_DIR"},
            {"name": "MODEL_PATH", "value": "/models/k/m.gguf"},
            {"name": "S3_BUCKET", "value": "b"},
            {"name": "S3_KEY", "value": "k/a.gguf"},
        ],
        "envFrom": [{"secretRef": {"name": "s"}}],
        "volumeMounts": MOUNTS,
        "securityContext": context,
    }
    service = {"spec": {"podSecurityContext": {"runAsUser": 0, "runAsGroup": 7, "fsGroup": 8}}}
    assert one(a_model(URL), operator, service=service)["securityContext"] == {**context, "runAsUser": 0, "runAsGroup": 7}
    assert "envFrom" not in one(a_model(URL, sourceSecretRef={"name": "s"}), KnownOperator(version=(0, 9, 5)))
    assert one(a_model(URL, sourceSecretRef={}), KnownOperator(version=(0, 9, 6)))["envFrom"] == [{"secretRef": {}}]
    broken = [each["name"] for each in one(a_model("s3://b/"), operator)["env"]]
    assert broken == ["MODEL_SOURCE", "CACHE_DIR", "MODEL_PATH"]


@pytest.mark.parametrize(
    ("source", "version", "told", "besides"),
    [
        (HUB, (0, 9, 7), "https://huggingface.co/o/n/resolve/main/", []),
        (f"{HUB}@v1", (0, 9, 19), "https://huggingface.co/o/n/resolve/v1/", []),
        (HUB, (0, 9, 6), "https://huggingface.co/o/n", []),
        ("o/n", (0, 9, 19), "o/n", []),
        ("s3://b/k", (0, 9, 19), "s3://b/k", [{"name": "S3_BUCKET", "value": "b"}, {"name": "S3_PREFIX", "value": "k"}]),
        ("s3://b/", (0, 9, 19), "s3://b/", []),
    ],
)
def test_a_stager_is_told_the_address(source: str, version: Version, told: str, besides: list[JSONObject]) -> None:
    found = many(a_model(source, files=["b", "a/c"]), KnownOperator(version=version))
    assert found["env"] == [
        {"name": "MODEL_SOURCE", "value": told},
        {"name": "CACHE_DIR", "value": "/models/k"},
        {"name": "MODEL_FILES", "value": "b\na/c"},
        *besides,
    ]


@pytest.mark.parametrize(
    ("version", "trusting"),
    [
        ((0, 9, 16), BESIDES_THE_SYSTEMS),
        ((0, 9, 15), "export CURL_CA_BUNDLE=/custom-certs/$(ls /custom-certs | grep -v '^\\.' | head -n 1) && "),
    ],
)
def test_certificates_of_ones_own_are_trusted_first(version: Version, trusting: str) -> None:
    assert (
        one(a_model(URL), KnownOperator(version=version, ca_cert_configmap="c"))["command"][2] == f"{trusting}{MADE}{CLEAN}{ATOMIC}{CACHED}"
    )


@pytest.mark.parametrize(
    ("group", "command"),
    [
        (1, "chown 0:1 /models && chmod g+rwX /models"),
        (0, "chown 100:100 /models && chmod 770 /models"),
        (-1, "chown 100:100 /models && chmod 770 /models"),
    ],
)
def test_the_cache_is_prepared_by_root(group: int, command: str) -> None:
    assert prepare(KnownOperator(init_container_image="curl:1"), group) == {
        "name": "model-cache-prep",
        "image": "curl:1",
        "command": ["sh", "-c", command],
        "volumeMounts": MOUNTS,
        "securityContext": {
            "runAsUser": 0,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"], "add": ["CHOWN", "FOWNER"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def test_files_that_cannot_be_staged_stop_the_pod() -> None:
    words = "ERROR: InvalidFileSet - model spec.files/spec.mmproj configuration is invalid. "
    rest = "Check file paths, directory escapes, and glob patterns."
    command = ["sh", "-c", f'echo "{words}{rest}"; exit 1']
    assert invalid_files(KnownOperator(init_container_image="curl:1")) == {
        "name": "model-downloader",
        "image": "curl:1",
        "command": command,
    }
