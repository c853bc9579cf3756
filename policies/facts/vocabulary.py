"""What the names of fields, maps and flags say about their texts: whether they choose or size something, or may be secret."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

from weighbridge.policies.ground.expressions import expression

_WORD: Final = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The last words of fields whose texts name, choose, place or size something.
KEPT_WORDS: Final = _set(
    """
    name names namespace namespaces ref refs reference kind group version versions type mode modes policy class classes id uid image
    path paths file files dir host hostname hostnames ip address endpoint port protocol scheme server service container claim
    source sources uri uris url urls region zone
    repository revision branch bucket model models modality family families framework architecture arch os format quantization
    quantize dtype variant variants flavor flavors feature features
    runtime engine backend backends accelerator accelerators gpu gpus vendor provider platform product driver device devices pool
    profile medium
    operator effect key keys resource resources role action divisor unsatisfiable propagation expr mount add drop
    size limit limits memory vram cpu storage capacity budget count amount quantity percent percentage ratio factor precision
    utilization len gb gbps min max replicas surge unavailable available
    metric indicator objective window threshold phase reason status state
    time timestamp at date duration timeout interval period delay
    strategy algorithm priority tier sink scope capability capabilities classification classifications parser split
    """
)
#: Maps with an author's keys whose texts choose or size something.
KEPT_MAPS: Final = _set("labels selector limits requests capacity overhead allocatable")
#: Maps with an author's keys whose texts can be anything.
FREE_MAPS: Final = _set(
    "annotations data headers parameters params options env envs environment variables attributes properties extra settings"
)
#: Fields of arguments, by their last words.
ARGUMENTS: Final = _set("args arguments arg command commands cmd flags overrides")
#: Words for secrets; two neighbouring words of a field's name can also be one of them.
SECRET_WORDS: Final = _set(
    """
    password passwd passphrase pwd pass secret secrets token tokens credential credentials apikey accesskey accountkey privatekey
    sas signature sig auth authorization bearer cookie dsn jwt keyring
    """
)
#: The words before `key` with which it isn't a secret. By itself `key` is that of a label, a taint, or an entry of a Secret.
_PLAIN_KEYS: Final = _set("topology toleration header label annotation taint cache")
#: The last words of fields that only refer to a secret.
_REFERENCES: Final = _set("name names ref refs path file")
#: Words for secrets even in the key of a label.
_LABELLED_SECRETS: Final = _set("password passwd passphrase token secret credential credentials apikey accesskey accountkey privatekey")
#: Flags that say how large a workload is or where it listens, if their value is a number.
SIZES: Final = _set(
    """
    port metrics-port replicas nnodes node-rank nproc-per-node threads t parallel np n-parallel batch-size b ubatch-size ub
    ctx-size c context-length max-model-len max-total-tokens max-input-tokens max-input-length n-gpu-layers ngl gpu-layers
    tensor-parallel-size tensor-parallel tp tp-size pipeline-parallel-size pp pp-size data-parallel-size dp dp-size
    expert-parallel-size ep ep-size num-shard num-gpus max-num-seqs max-num-batched-tokens max-batch-size max-running-requests
    gpu-memory-utilization mem-fraction-static cuda-memory-fraction cpu-offload-gb swap-space
    """
)

#: Arguments that name the program that a container starts, and addresses that every machine has.
PLAIN_ARGUMENTS: Final = _set(
    """
    python python3 sh bash serve vllm sglang llama-server text-generation-launcher tritonserver
    vllm.entrypoints.openai.api_server sglang.launch_server 0.0.0.0 :: 127.0.0.1 ::1 localhost
    """
)


@lru_cache(maxsize=4096)
def words_of(field: str) -> tuple[str, ...]:
    """The words of a field's name, in lower case: ``hfTokenSecretRef`` has four."""
    return tuple(word.lower() for word in _WORD.findall(field))


def last_word(field: str) -> str:
    """The last word of a field's name, which says what the field is; empty if there is none."""
    return next(reversed(words_of(field)), "")


@lru_cache(maxsize=4096)
def is_harmless(field: str) -> bool:
    """Whether a text isn't a secret, by its field's name."""
    words, last = words_of(field), last_word(field)
    if last not in KEPT_WORDS:
        return False
    if last in {"key", "keys"}:
        return len(words) == 1 or words[-2] in _PLAIN_KEYS
    return last in _REFERENCES or SECRET_WORDS.isdisjoint(_single_and_joined(field))


@lru_cache(maxsize=4096)
def is_harmless_label(key: str) -> bool:
    """Whether the text of a label, or of another entry of a map that places or sizes something, isn't a secret, by its key."""
    return last_word(key) in _REFERENCES or _LABELLED_SECRETS.isdisjoint(_single_and_joined(key))


def _single_and_joined(field: str) -> tuple[str, ...]:
    words = words_of(field)
    return (*words, *map("".join, pairwise(words)))
