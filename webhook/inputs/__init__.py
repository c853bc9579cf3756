"""What a command is given: facts from files, CRDs from folders or bundled ones, and requests from manifests.

Compiled schemas are kept in a folder of the user's (`compile_cache`), since compiling takes longer than judging.
"""
