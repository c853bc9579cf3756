"""The input of a command: facts from files, CRDs from folders or bundled ones, and requests from manifests.

Compiled schemas are kept in the user's cache folder (`compile_cache`), because compiling takes longer than judging.
"""
