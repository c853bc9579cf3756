"""vLLM's OpenAI server, `vllm serve`.

Python's argparse reads it: a flag may be given by its beginning, and of what is given twice the last counts. The model is the first word;
`--model` beside it is one word too many. Source: vLLM 0.25.1, vllm/engine/arg_utils.py, vllm/entrypoints/openai/cli_args.py and
vllm/utils/argparse_utils.py; flags that 0.6 to 0.24 had are `older`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.serving_engines.flags import FlagTable, Style

#: In the notation of `flags.py`.
_FLAGS: Final = """\
--additional-config= --aggregate-engine-logging --all2all-backend= --[no-]allow-credentials --[no-]allow-deprecated-quantization
--allowed-headers= --allowed-local-media-path= --allowed-media-domains=+ --allowed-methods= --allowed-origins= --api-key=+
--api-server-count|-asc= --[no-]async-scheduling --attention-backend= --attention-config|-ac= --block-size= --[no-]calculate-kv-scales
--chat-template= --chat-template-content-format= --code-revision= --collect-detailed-traces=+ --compilation-config|-cc= --config=
--config-format= --convert= --cp-kv-cache-interleave-size= --cpu-distributed-timeout-seconds= --cpu-offload-gb= --cpu-offload-params=+
--cudagraph-capture-sizes=+ --[no-]cudagraph-metrics --data-parallel-address|-dpa= --data-parallel-backend|-dpb=
--[no-]data-parallel-external-lb|-dpe --[no-]data-parallel-hybrid-lb|-dph --data-parallel-multi-port-external-lb|-dpm
--data-parallel-rank|-dpn= --data-parallel-rpc-port|-dpp= --data-parallel-size|-dp= --data-parallel-size-local|-dpl=
--data-parallel-start-rank|-dpr= --data-parallel-supervisor-port= --dbo-decode-token-threshold= --dbo-prefill-token-threshold=
--dcp-comm-backend= --dcp-kv-cache-interleave-size= --decode-context-parallel-size|-dcp= --default-chat-template-kwargs=
--default-mm-loras= --device-ids= --diffusion-config|-dc= --disable-access-log-for-endpoints= --[no-]disable-cascade-attn
--[no-]disable-chunked-mm-input --[no-]disable-custom-all-reduce --[no-]disable-fastapi-docs --[no-]disable-hybrid-kv-cache-manager
--disable-log-stats --[no-]disable-nccl-for-dp-synchronization --[no-]disable-sliding-window --[no-]disable-uvicorn-access-log
--distributed-executor-backend= --distributed-timeout-seconds= --download-dir= --dp-supervisor-probe-failure-threshold=
--dp-supervisor-probe-interval-s= --dp-supervisor-probe-timeout-s= --dtype= --ec-transfer-config= --[no-]enable-auto-tool-choice
--[no-]enable-chunked-prefill --[no-]enable-cumem-allocator --[no-]enable-dbo --[no-]enable-elastic-ep --[no-]enable-ep-weight-filter
--[no-]enable-eplb --[no-]enable-expert-parallel|-ep --[no-]enable-flash-late-interaction --[no-]enable-flashinfer-autotune
--[no-]enable-force-include-usage --[no-]enable-layerwise-nvtx-tracing --[no-]enable-log-deltas --[no-]enable-log-outputs
--[no-]enable-log-requests --[no-]enable-logging-iteration-details --[no-]enable-lora --[no-]enable-mamba-cache-stochastic-rounding
--[no-]enable-mfu-metrics --[no-]enable-mixed-moe-lora-format --[no-]enable-mm-embeds --[no-]enable-offline-docs
--[no-]enable-per-request-metrics --[no-]enable-prefix-caching --[no-]enable-prompt-embeds --[no-]enable-prompt-tokens-details
--[no-]enable-request-id-headers --[no-]enable-return-routed-experts --[no-]enable-server-load-tracking --[no-]enable-sleep-mode
--[no-]enable-ssl-refresh --[no-]enable-tokenizer-info-endpoint --[no-]enable-tower-connector-lora --[no-]enforce-eager --eplb-config=
--[no-]exclude-tools-when-tool-choice-none --expert-placement-strategy= --[no-]fail-on-environ-validation --fingerprint-mode=
--fingerprint-value= --[no-]fully-sharded-loras --gdn-prefill-backend= --generation-config= --gpu-memory-utilization= --grpc
--h11-max-header-count= --h11-max-incomplete-event-size= --headless --hf-config-path= --hf-overrides= --hf-token=? --host=
--ignore-patterns=+ --[no-]interleave-mm-strings --io-processor-plugin= --ir-op-priority= --jit-monitor-mode= --[no-]jit-monitor-verbose
--kernel-config= --kv-cache-dtype= --kv-cache-dtype-skip-layers=+ --kv-cache-memory-bytes= --[no-]kv-cache-metrics
--kv-cache-metrics-sample= --kv-events-config= --kv-offloading-backend= --kv-offloading-size= --[no-]kv-sharing-fast-prefill
--kv-transfer-config= --[no-]language-model-only --limit-mm-per-prompt= --linear-backend= --load-format= --log-config-file=
--[no-]log-error-stack --logits-processors=+ --logprobs-mode= --long-prefill-token-threshold= --lora-dtype= --lora-modules=+
--lora-target-modules=+ --mamba-backend= --mamba-block-size= --mamba-cache-dtype= --mamba-cache-mode= --mamba-cache-philox-rounds=
--mamba-ssm-cache-dtype= --master-addr= --master-port= --max-cpu-loras= --max-cudagraph-capture-size= --max-log-len= --max-logprobs=
--max-long-partial-prefills= --max-lora-rank= --max-loras= --max-model-len= --max-num-batched-tokens= --max-num-partial-prefills=
--max-num-seqs= --max-parallel-loading-workers= --media-io-kwargs= --middleware=& --mm-encoder-attn-backend= --mm-encoder-attn-dtype=
--mm-encoder-fp8-scale-path= --mm-encoder-fp8-scale-save-margin= --mm-encoder-fp8-scale-save-path= --[no-]mm-encoder-only
--mm-encoder-tp-mode= --mm-ipc-gpu-memory-gb= --mm-processor-cache-gb= --mm-processor-cache-type= --mm-processor-kwargs=
--mm-shm-cache-max-object-size-mb= --mm-tensor-ipc= --model= --model-class-overrides= --model-impl= --model-loader-extra-config=
--moe-backend= --nnodes|-n= --node-rank|-r= --num-gpu-blocks-override= --[no-]numa-bind --numa-bind-cpus=+ --numa-bind-nodes=+
--offload-backend= --offload-group-size= --offload-num-in-group= --offload-params=+ --offload-prefetch-step= --optimization-level=
--otlp-traces-endpoint= --override-attention-dtype= --override-generation-config= --performance-mode= --pipeline-parallel-size|-pp=
--pooler-config= --port= --prefill-context-parallel-size|-pcp= --prefill-schedule-interval= --prefix-caching-hash-algo=
--profiler-config= --pt-load-map-location= --quantization|-q= --quantization-config= --[no-]ray-workers-use-nsight --reasoning-config=
--reasoning-parser= --reasoning-parser-plugin= --renderer-num-workers= --response-role= --[no-]return-tokens-as-token-ids --revision=
--root-path= --runner= --safetensors-load-strategy= --safetensors-prefetch-block-size= --safetensors-prefetch-num-threads=
--scheduler-cls= --[no-]scheduler-reserve-full-isl --scheduling-policy= --seed= --served-model-name=+ --show-hidden-metrics-for-version=
--shutdown-timeout= --[no-]skip-mm-profiling --[no-]skip-tokenizer-init --spec-method= --spec-model= --spec-tokens=
--[no-]specialize-active-lora --speculative-config|-sc= --ssl-ca-certs= --ssl-cert-reqs= --ssl-certfile= --ssl-ciphers= --ssl-keyfile=
--stream-interval= --structured-outputs-config= --tensor-parallel-size|-tp= --tokenizer= --tokenizer-mode= --tokenizer-revision=
--[no-]tokens-only --tool-call-parser= --tool-parser-plugin= --tool-server= --[no-]trust-remote-code --[no-]trust-request-chat-template
--ubatch-size= --uds= --[no-]use-fp64-gumbel --[no-]use-tqdm-on-load --uvicorn-log-level= --video-pruning-rate= --watermark=
--weight-transfer-config= --worker-cls= --worker-extension-cls=
"""

_OLDER: Final = """\
--cuda-graph-sizes --device --disable-async-output-proc --disable-log-requests --disable-mm-preprocessor-cache --enable-lora-bias
--enable-multimodal-encoder-data-parallel --enable-prompt-adapter --enable-reasoning --engine-use-ray
--guided-decoding-backend --guided-decoding-disable-additional-properties --guided-decoding-disable-any-whitespace
--guided-decoding-disable-fallback --logits-processor-pattern --long-lora-scaling-factors --lora-extra-vocab-size
--max-prompt-adapter-token --max-prompt-adapters --max-seq-len-to-capture --multi-step-stream-outputs
--ngram-prompt-lookup-max --ngram-prompt-lookup-min --num-lookahead-slots --num-scheduler-steps
--num-speculative-tokens --override-neuron-config --override-pooler-config --preemption-mode --qlora-adapter-name-or-path --rope-scaling
--rope-theta --scheduler-delay-factor --speculative-draft-tensor-parallel-size --speculative-max-model-len --speculative-model
--spec-decoding-acceptance-method --swap-space --task --tokenizer-pool-size --tokenizer-pool-type
--typical-acceptance-sampler-posterior-alpha
--use-v2-block-manager --worker-use-ray
"""

TABLE: Final = FlagTable(
    engine="vLLM",
    version="0.25.1",
    style=Style.ARGPARSE,
    words=_FLAGS,
    older=frozenset(_OLDER.split()),
    folds_underscores=True,
    first_word="model",
    meanings={
        "model": "--model",
        "port": "--port",
        "context": "--max-model-len",
        "host": "--host",
        "slots": "--max-num-seqs",
        "name": "--served-model-name",
        "tensor parallel": "--tensor-parallel-size",
        "data parallel": "--data-parallel-size",
        "pipeline parallel": "--pipeline-parallel-size",
        "context parallel": "--prefill-context-parallel-size",
        "nodes": "--nnodes",
        "executor": "--distributed-executor-backend",
        "local copies": "--data-parallel-size-local",
        "copies backend": "--data-parallel-backend",
        "rank": "--data-parallel-rank",
        "headless": "--headless",
        "quantization": "--quantization",
        "tls": "--ssl-certfile",
        "token": "--hf-token",
        "offload": "--cpu-offload-gb",
        "speculation": "--speculative-config",
    },
)
