"""LLMKube (inference.llmkube.dev): models and inference services on llama.cpp, vLLM, SGLang and others.

Upstream: https://github.com/defilantech/LLMKube, read at v0.9.19.
"""
