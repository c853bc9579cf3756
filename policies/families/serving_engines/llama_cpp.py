"""llama.cpp's server, `llama-server`.

It knows flags by their whole words: `--ctx-size=8192` is one that it doesn't have. What it has not, it stops at; of what is given twice
the last counts, except for lists (`--lora`, `--override-kv`). Source: llama.cpp, common/arg.cpp, as vendored by llama-cpp-python 0.3.16
(August 2025), 0.3.30 and 0.3.36 (October 2026), taken together; `-fa` took no value in the first.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.serving_engines.flags import FlagTable, Style

#: In the notation of `flags.py`.
_FLAGS: Final = """\
--adaptive-decay= --adaptive-target= -a|--alias=& --api-key=& --api-key-file= --api-prefix= -bs|--backend-sampling -b|--batch-size=
--[no-]cache-idle-slots -cl|--cache-list --[no-]cache-prompt -cram|--cache-ram= --cache-reuse= -ctk|--cache-type-k=
--spec-draft-type-k|-ctkd|--cache-type-k-draft= -ctv|--cache-type-v= --spec-draft-type-v|-ctvd|--cache-type-v-draft= --chat-template=
--chat-template-file= --chat-template-kwargs= --check-tensors -cms|--checkpoint-min-step= --completion-bash --[no-]context-shift
--control-vector=& --control-vector-layer-range=2 --control-vector-scaled=& --[no-]cors-credentials --cors-headers= --cors-methods=
--cors-origins= -C|--cpu-mask= -Cb|--cpu-mask-batch= --spec-draft-cpu-mask-batch|-Cbd|--cpu-mask-batch-draft=
--spec-draft-cpu-mask|-Cd|--cpu-mask-draft= -cmoe|--cpu-moe --spec-draft-cpu-moe|-cmoed|--cpu-moe-draft -Cr|--cpu-range=
-Crb|--cpu-range-batch= --spec-draft-cpu-range|-Crd|--cpu-range-draft= --cpu-strict= --cpu-strict-batch=
--spec-draft-cpu-strict-batch|--cpu-strict-batch-draft= --spec-draft-cpu-strict|--cpu-strict-draft= -c|--ctx-size= -cd|--ctx-size-draft=
-dt|--defrag-thold= -dev|--device= --spec-draft-device|-devd|--device-draft= -dr|--docker-repo= --draft|--draft-n|--draft-max=
--draft-min|--draft-n-min= --spec-draft-p-min|--draft-p-min= --spec-draft-p-split|--draft-p-split= --dry-allowed-length= --dry-base=
--dry-multiplier= --dry-penalty-last-n= --dry-sequence-breaker=& --dynatemp-exp= --dynatemp-range= --embd-bge-small-en-default
--embd-e5-small-en-default --embd-gemma-default --embd-gte-small-default --embd-normalize= --embedding|--embeddings -e|--[no-]escape
--fim-qwen-1.5b-default --fim-qwen-14b-spec --fim-qwen-30b-default --fim-qwen-3b-default --fim-qwen-7b-default --fim-qwen-7b-spec
-fit|--fit= -fitc|--fit-ctx= -fitt|--fit-target= -fa|--flash-attn=? --frequency-penalty= --gpt-oss-120b-default --gpt-oss-20b-default
--grammar= --grammar-file= -hff|--hf-file= -hffv|--hf-file-v= -hf|-hfr|--hf-repo= --spec-draft-hf|-hfd|-hfrd|--hf-repo-draft=
-hfv|-hfrv|--hf-repo-v= -hft|--hf-token= --host= --ignore-eos --image-max-tokens= --image-min-tokens= --[no-]jinja -j|--json-schema=
-jf|--json-schema-file= --keep= --kv-unified-per-slot= -lzm|--lazy-mode= --list-devices -lm|--load-mode= --log-colors=? --log-disable
--log-file= --[no-]log-jsonl --[no-]log-prefix --log-prompts-dir= --[no-]log-timestamps -v|--verbose|--log-verbose
-lv|--verbosity|--log-verbosity= -l|--logit-bias=& -lcd|--lookup-cache-dynamic= -lcs|--lookup-cache-static= --lora=&
--lora-init-without-apply --lora-scaled=& -mg|--main-gpu= --mcp-servers-config= --mcp-servers-json= --media-path= --metrics --min-p=
--mirostat= --mirostat-ent= --mirostat-lr= --mlock --[no-]mmap -mm|--mmproj= -mmdev|--mmproj-device= --[no-]mmproj-offload
-mmu|--mmproj-url= -m|--model= --spec-draft-model|-md|--model-draft= -mu|--model-url= -mv|--model-vocoder= --[no-]models-autoload
--models-dir= --models-max= --models-preset= --mtmd-batch-max-tokens= -ncffn|--n-cpu-ffn= -ncmoe|--n-cpu-moe=
--spec-draft-n-cpu-moe|--spec-draft-ncmoe|-ncmoed|--n-cpu-moe-draft= -ngl|--gpu-layers|--n-gpu-layers=
--spec-draft-ngl|-ngld|--gpu-layers-draft|--n-gpu-layers-draft= -n|--predict|--n-predict= -ag|--agent|!-no-ag|!--no-agent
-cb|--cont-batching|!-nocb|!--no-cont-batching -dio|--direct-io|!-ndio|!--no-direct-io --no-host
-kvo|--kv-offload|!-nkvo|!--no-kv-offload -kvu|--kv-unified|!-no-kvu|!--no-kv-unified --mmproj-auto|!--no-mmproj|!--no-mmproj-auto
--repack|!-nr|!--no-repack --numa= --offline --[no-]op-offload --override-kv=& -ot|--override-tensor=&
--spec-draft-override-tensor|-otd|--override-tensor-draft=& -np|--parallel= --path= --[no-]perf --poll= --poll-batch=
--spec-draft-poll-batch|--poll-batch-draft= --spec-draft-poll|--poll-draft= --pooling= --port= --[no-]prefill-assistant
--presence-penalty= --prio= --prio-batch= --spec-draft-prio-batch|--prio-batch-draft= --spec-draft-prio|--prio-draft= --props
-rea|--reasoning= --reasoning-budget= --reasoning-budget-message= --reasoning-effort= --reasoning-format= --[no-]reasoning-preserve
--repeat-last-n= --repeat-penalty= --rerank|--reranking --reuse-port -r|--reverse-prompt=& --rope-freq-base= --rope-freq-scale=
--rope-scale= --rope-scaling= --rpc= --samplers= --sampler-seq|--sampling-seq= -s|--seed= --[no-]skip-chat-parsing --sleep-idle-seconds=
-sps|--slot-prompt-similarity= --slot-save-path= --[no-]slots --spec-default --[no-]spec-draft-backend-sampling --spec-draft-n-max=
--spec-draft-n-min= --spec-ngram-map-k-min-hits= --spec-ngram-map-k-size-m= --spec-ngram-map-k-size-n= --spec-ngram-map-k4v-min-hits=
--spec-ngram-map-k4v-size-m= --spec-ngram-map-k4v-size-n= --spec-ngram-min-hits= --spec-ngram-mod-n-match= --spec-ngram-mod-n-max=
--spec-ngram-mod-n-min= --spec-ngram-simple-min-hits= --spec-ngram-simple-size-m= --spec-ngram-simple-size-n= --spec-ngram-size-m=
--spec-ngram-size-n= --spec-replace=2& --spec-synth-len= --spec-synth-rates= --spec-type=& -sp|--special -sm|--split-mode= --spm-infill
--sse-ping-interval= --ssl-cert-file= --ssl-key-file= -ctxcp|--ctx-checkpoints|--swa-checkpoints= --swa-full --tags=&
--temp|--temperature= -ts|--tensor-split= -t|--threads= -tb|--threads-batch= --spec-draft-threads-batch|-tbd|--threads-batch-draft=
--spec-draft-threads|-td|--threads-draft= --threads-http= -to|--timeout= --tools= --tools-runtime= --top-k= --top-nsigma|--top-n-sigma=
--top-p= --tts-use-guide-tokens --typical|--typical-p= -ub|--ubatch-size= -h|--help|--usage --verbose-prompt --version
--video-ffmpeg-dir= --video-fps= --video-timestamp-interval= --vision-gemma-12b-default --vision-gemma-4b-default --[no-]warmup
--[no-]ui|--[no-]webui --ui-config|--webui-config= --ui-config-file|--webui-config-file= --[no-]ui-mcp-proxy|--[no-]webui-mcp-proxy
--xtc-probability= --xtc-threshold= --yarn-attn-factor= --yarn-beta-fast= --yarn-beta-slow= --yarn-ext-factor= --yarn-orig-ctx=
"""

TABLE: Final = FlagTable(
    engine="llama.cpp",
    version="of 2025 and 2026",
    style=Style.LLAMA_CPP,
    words=_FLAGS,
    folds_underscores=True,
    meanings={
        "model": "--model",
        "port": "--port",
        "context": "--ctx-size",
        "host": "--host",
        "slots": "--parallel",
        "gpu layers": "--n-gpu-layers",
        "device": "--device",
        "split": "--split-mode",
        "name": "--alias",
        "model url": "--model-url",
        "repository": "--hf-repo",
        "docker repository": "--docker-repo",
        "models": "--models-dir",
        "presets": "--models-preset",
        "tls": "--ssl-cert-file",
        "prefix": "--api-prefix",
        "rope scaling": "--rope-scaling",
    },
)
