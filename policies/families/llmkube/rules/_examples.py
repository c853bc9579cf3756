"""Objects that the examples of several rules have beside them."""

from __future__ import annotations

from typing import Final

#: A Model in one file, for one NVIDIA GPU.
GGUF_MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: gguf, namespace: default}
spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 1}}}"""
#: A Model in a repository of Hugging Face, for one NVIDIA GPU.
REPOSITORY_MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: repo, namespace: default}
spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 1}}}"""
