"""Hugging Face's Text Generation Inference, `text-generation-launcher`.

Rust's clap reads it, which stops at a flag that is given twice. Source: text-generation-inference 3.3.7, docs/source/reference/launcher.md
and launcher/src/main.rs; clap 4.5, `ArgAction::Set`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.serving_engines.flags import FlagTable, Repeats, Style

#: In the notation of `flags.py`.
_FLAGS: Final = """\
--api-key= --cors-allow-origin=& --cuda-graphs= --cuda-memory-fraction= --disable-custom-kernels --disable-grammar-support --dtype=
--enable-prefill-logprobs -e|--env --graceful-termination-timeout= -h|--help --hostname= --huggingface-hub-cache= --json-output
--kv-cache-dtype= --lora-adapters= --master-addr= --master-port= --max-batch-prefill-tokens= --max-batch-size=
--max-batch-total-tokens= --max-best-of= --max-client-batch-size= --max-concurrent-requests= --max-input-length= --max-input-tokens=
--max-stop-sequences= --max-top-n-tokens= --max-total-tokens= --max-waiting-tokens= --model-id= --ngrok --ngrok-authtoken=
--ngrok-edge= --num-shard= --otlp-endpoint= --otlp-service-name= --payload-limit= -p|--port= --prometheus-port= --quantize= --revision=
--rope-factor= --rope-scaling= --shard-uds-path= --sharded= --speculate= --tokenizer-config-path= --trust-remote-code --usage-stats=
--validation-workers= -V|--version --waiting-served-ratio= --watermark-delta= --watermark-gamma= --weights-cache-override=
"""

TABLE: Final = FlagTable(
    engine="TGI",
    version="3.3.7",
    style=Style.CLAP,
    words=_FLAGS,
    repeats=Repeats.REFUSED,
    meanings={
        "model": "--model-id",
        "port": "--port",
        "context": "--max-total-tokens",
        "host": "--hostname",
        "tensor parallel": "--num-shard",
        "quantization": "--quantize",
    },
)
