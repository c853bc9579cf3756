"""LLMKube's Models: sources, files, storage, status, rules."""
